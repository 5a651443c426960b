export const SNIPPETS = ['npm', 'script', 'node', 'curl'] as const
export type Snippet = (typeof SNIPPETS)[number]

interface Sender {
  /** Where the server is. */
  readonly endpoint: string
  readonly publicKey: string
}

interface SnippetText {
  readonly name: string
  /** What else there is to know. */
  readonly hint: string
  readonly code: string
}

/** What sends a first report, ready to paste. */
export function snippetOf(snippet: Snippet, { endpoint, publicKey }: Sender): SnippetText {
  return {
    npm: {
      name: 'npm',
      hint: 'For apps with a bundler: web, Electron, React Native. Version, device and system are filled in automatically.',
      code: `npm install @bugle/sdk

import { init, report } from '@bugle/sdk'

init({
  endpoint: '${endpoint}',
  publicKey: '${publicKey}',
})

await report({ title: 'Settings screen stays blank' })`,
    },
    script: {
      name: 'Script tag',
      hint: 'For pages without a bundler. bugle.js is in the folder dist of the package; serve it with your page.',
      code: `<script
  src="/bugle.js"
  data-endpoint="${endpoint}"
  data-public-key="${publicKey}"
  data-app-version="1.0.0"
></script>

<button onclick="Bugle.report({ title: 'Settings screen stays blank' })">
  Report a problem
</button>`,
    },
    node: {
      name: 'Node',
      hint: 'Crashes are written to disk when the process exits, and sent at the next start.',
      code: `npm install @bugle/sdk

import { captureException, init } from '@bugle/sdk'
import { captureCrashes } from '@bugle/sdk/crash'

init({
  endpoint: '${endpoint}',
  publicKey: '${publicKey}',
})
captureCrashes()

try {
  await work()
} catch (error) {
  captureException(error)
}`,
    },
    curl: {
      name: 'curl',
      hint: 'From anything that speaks HTTP. The response is 201 with the new issue.',
      code: `curl ${endpoint}/v1/issues \\
  -H 'Authorization: Bearer ${publicKey}' \\
  -H 'Content-Type: application/json' \\
  -d '{"title": "Settings screen stays blank"}'`,
    },
  }[snippet]
}
