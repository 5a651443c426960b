export const SNIPPETS = ['script', 'npm', 'node', 'curl'] as const
export type Snippet = (typeof SNIPPETS)[number]

interface Sender {
  /** Where the server is. */
  readonly endpoint: string
  readonly publicKey: string
}

interface SnippetText {
  readonly name: string
  /** Further information. */
  readonly hint: string
  readonly code: string
}

/** Snippets that send a first report, ready to paste. */
export function snippetOf(snippet: Snippet, { endpoint, publicKey }: Sender): SnippetText {
  return {
    npm: {
      name: 'npm',
      hint: 'For apps with a bundler: web, Electron, React Native. App version, device and OS are filled in automatically.',
      code: `npm install ${endpoint}/sdk/bugle-sdk.tgz

import { init, report } from '@bugle/sdk'

init({
  endpoint: '${endpoint}',
  publicKey: '${publicKey}',
})

await report({ title: 'Settings screen stays blank' })`,
    },
    script: {
      name: 'Script tag',
      hint: 'For pages without a bundler. Adds a button that opens a form, and reports crashes. To call Bugle.report yourself, use bugle.js and omit the button.',
      code: `<script
  src="${endpoint}/sdk/bugle-widget.js"
  data-public-key="${publicKey}"
  data-app-version="1.0.0"
></script>

<bugle-report></bugle-report>`,
    },
    node: {
      name: 'Node',
      hint: 'Crashes are written to disk when the process exits, and sent at the next start.',
      code: `npm install ${endpoint}/sdk/bugle-sdk.tgz

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
      hint: 'For any program that can send HTTP requests. The response has status 201 and contains the new issue.',
      code: `curl ${endpoint}/v1/issues \\
  -H 'Authorization: Bearer ${publicKey}' \\
  -H 'Content-Type: application/json' \\
  -d '{"title": "Settings screen stays blank"}'`,
    },
  }[snippet]
}
