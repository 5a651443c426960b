import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compress } from './build/compress.ts'
import { firstPaint } from './build/first-paint.ts'
import { preloadFont } from './build/preload-font.ts'
import { slimContract } from './build/slim-contract.ts'

const DEV_SERVER = { host: '127.0.0.1', port: 4001 }
/** What `npm run dev` passes on to the running server: everything that is not the page itself. */
const SERVER_PATHS = '^/(v1|session|docs|problems|openapi.json|healthz|readyz)(/|\\?|$)'
const server = process.env['BUGLE_URL'] ?? 'http://127.0.0.1:4000'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), slimContract(), firstPaint(), preloadFont(), compress()],
  build: {
    target: 'es2022',
    // The second is for the documentation, whose pages the server renders.
    rolldownOptions: { input: { index: 'index.html', docs: 'src/docs/docs.ts' } },
    // Nothing as data: URL: the page's policy lets fonts and scripts come from the server only.
    assetsInlineLimit: 0,
    // Its polyfill would be an inline script in old browsers, and new ones do not need it.
    modulePreload: { polyfill: false },
    manifest: 'manifest.json',
    // What others wrote goes out with their terms; the server does not serve this file.
    license: { fileName: 'licenses.md' },
    reportCompressedSize: false,
  },
  server: { ...DEV_SERVER, strictPort: true, proxy: { [SERVER_PATHS]: { target: server } } },
})
