import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compress } from './build/compress.ts'
import { firstPaint } from './build/first-paint.ts'
import { preloadFont } from './build/preload-font.ts'
import { slimContract } from './build/slim-contract.ts'

const DEV_SERVER = { host: '127.0.0.1', port: 4001 }
/** Paths that `npm run dev` forwards to the running server: everything except the app itself. */
const SERVER_PATHS = '^/(v1|session|admin|docs|problems|openapi.json|healthz|readyz)(/|\\?|$)'
const server = process.env['BUGLE_URL'] ?? 'http://127.0.0.1:4000'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), slimContract(), firstPaint(), preloadFont(), compress()],
  build: {
    target: 'es2022',
    // The second is for the documentation, whose pages the server renders.
    rolldownOptions: { input: { index: 'index.html', docs: 'src/docs/docs.ts' } },
    // No data: URLs, because the content security policy allows fonts and scripts only from the server.
    assetsInlineLimit: 0,
    // The polyfill would be an inline script, and current browsers do not need it.
    modulePreload: { polyfill: false },
    manifest: 'manifest.json',
    // Third-party licences, which are part of the package but not served.
    license: { fileName: 'licenses.md' },
    reportCompressedSize: false,
  },
  server: { ...DEV_SERVER, strictPort: true, proxy: { [SERVER_PATHS]: { target: server } } },
})
