import type { SdkManifest } from '../../api/projects/sdk.ts'

export const SNIPPETS = ['script', 'pinned', 'npm', 'node', 'curl'] as const
export type Snippet = (typeof SNIPPETS)[number]

interface Sender {
  /** Where the server is. */
  readonly endpoint: string
  readonly publicKey: string
  /** The build of the SDK that the server has; `undefined` until it is known. */
  readonly sdk: SdkManifest | undefined
}

interface SnippetText {
  readonly name: string
  /** Further information. */
  readonly hint: string
  /** Each is pasted as a whole. */
  readonly parts: readonly SnippetPart[]
}

interface SnippetPart {
  /** Where it is pasted; only if there are several. */
  readonly place?: string
  readonly code: string
}

const WIDGET_FILE = 'bugle-widget.js'

/** Snippets that send a first report, ready to paste. */
export function snippetOf(snippet: Snippet, { endpoint, publicKey, sdk }: Sender): SnippetText {
  // A lock file has the hash of the package, so the address must always have the same one.
  const install = {
    place: 'In a terminal',
    code: `npm install ${endpoint}/sdk/${sdk ? `${sdk.build}/` : ''}bugle-sdk.tgz`,
  }
  const start = `init({
  endpoint: '${endpoint}',
  publicKey: '${publicKey}',
})
captureCrashes()`
  return {
    script: {
      name: 'Script tag',
      hint: 'For pages without a bundler. Adds a button that opens a form, and reports crashes. To call Bugle.report yourself, use bugle.js and omit the button.',
      parts: [
        {
          code: `<script
  src="${endpoint}/sdk/${WIDGET_FILE}"
  data-public-key="${publicKey}"
  data-app-version="1.0.0"
></script>

<bugle-report></bugle-report>`,
        },
      ],
    },
    pinned: {
      name: 'Pinned version',
      hint: 'The same, with the version of the SDK that this server has now. It stays available when the server is upgraded, and the browser refuses any other file.',
      parts: [
        {
          code: `<script
  src="${endpoint}/sdk/${sdk?.build ?? '…'}/${WIDGET_FILE}"
  integrity="${sdk?.integrity[WIDGET_FILE] ?? 'sha384-…'}"
  crossorigin="anonymous"
  data-public-key="${publicKey}"
  data-app-version="1.0.0"
></script>

<bugle-report></bugle-report>`,
        },
      ],
    },
    npm: {
      name: 'npm',
      hint: 'For web apps with a bundler, also in Electron. Adds a button that opens a form, and reports crashes. App version, device and OS are filled in automatically.',
      parts: [
        install,
        {
          place: 'In your app',
          code: `import { init } from '@bugle/sdk'
import { captureCrashes } from '@bugle/sdk/crash'
import { defineWidget } from '@bugle/sdk/widget'

${start}
defineWidget()
document.body.append(document.createElement('bugle-report'))`,
        },
      ],
    },
    node: {
      name: 'Node',
      hint: 'Crashes are written to disk when the process exits, and sent at the next start.',
      parts: [
        install,
        {
          place: 'In a module, such as report.mjs',
          code: `import { init, report } from '@bugle/sdk'
import { captureCrashes } from '@bugle/sdk/crash'

${start}

await report({ title: 'Settings screen stays blank' })`,
        },
      ],
    },
    curl: {
      name: 'curl',
      hint: 'For any program that can send HTTP requests. The response has status 201 and contains the new issue.',
      parts: [
        {
          code: `curl ${endpoint}/v1/issues \\
  -H 'Authorization: Bearer ${publicKey}' \\
  -H 'Content-Type: application/json' \\
  -d '{"title": "Settings screen stays blank"}'`,
        },
      ],
    },
  }[snippet]
}
