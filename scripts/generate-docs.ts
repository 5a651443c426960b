import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ERROR_CODES } from '@bugle/contract'
import { SETTINGS } from '../packages/server/src/config.ts'
import { exampleOfProblem } from '../packages/server/src/http/openapi/openapi-problems.ts'
import {
  addressOfGuide,
  GUIDE_GROUPS,
  GUIDE_INDEX,
  type GuideGroup,
  REFERENCE_PATH,
} from '../packages/server/src/http/pages/guides.ts'
import { renderSqliteSchema } from '../packages/server/test-support/schemas/render-schema.ts'

/** `npm run docs`: writes the documents that are generated from the code. */

const ROOT = fileURLToPath(new URL('..', import.meta.url))

interface Generated {
  readonly path: string
  /** The document as it should be. */
  readonly render: () => string
}

export const GENERATED: readonly Generated[] = [
  { path: 'docs/configuration.md', render: () => renderConfiguration(Object.values(SETTINGS)) },
  { path: 'docs/errors.md', render: () => renderErrors(ERROR_CODES, exampleOfProblem('validation-failed')) },
  { path: 'packages/dashboard/src/guides.ts', render: () => renderGuideList(GUIDE_GROUPS) },
  { path: 'packages/server/src/storage/sqlite/migrations/current-schema.ts', render: renderSqliteSchema },
]

interface SettingDescription {
  readonly variable: string
  readonly default: string | null
  readonly defaultText?: string
  readonly meaning: string
}

type ErrorDescriptions = Readonly<
  Record<string, { readonly status: number; readonly title: string; readonly help: string }>
>

/** The page about every environment variable. */
export function renderConfiguration(settings: readonly SettingDescription[]): string {
  return `# Configuration

${notice('packages/server/src/config.ts')}

Bugle is configured with environment variables, and each of them has a default. An empty variable counts as not
set. If a value is invalid, the server and the \`bugle\` command do not start, and list every problem at once.
If a variable starts with \`BUGLE_\` but is not a setting, \`bugle serve\` and \`bugle doctor\` warn and suggest the closest name.

${renderSettings(settings)}
A relative path in \`BUGLE_DATABASE_URL\` is relative to the folder the process runs in. The server and the \`bugle\` command
must use the same database.
`
}

/** The table of settings alone. */
export function renderSettings(settings: readonly SettingDescription[]): string {
  const rows = settings.map((setting) => [
    code(setting.variable),
    setting.default === null ? (setting.defaultText ?? 'not set') : code(setting.default),
    setting.meaning,
  ])
  return renderTable(['Variable', 'Default', 'Meaning'], rows)
}

/** The page about every problem that the API responds with. */
export function renderErrors(errors: ErrorDescriptions, example: unknown): string {
  const rows = Object.entries(errors).map(([name, { status, title, help }]) => [
    code(name),
    String(status),
    title,
    help,
  ])
  return `# Errors

${notice('packages/contract/src/vocabulary/error-codes.ts')}

Every 4xx and 5xx response is a problem document (RFC 9457, \`application/problem+json\`):

\`\`\`json
${JSON.stringify(example, null, 2)}
\`\`\`

Use \`code\` in programs, and show \`detail\` to people. \`type\` is the path of a page about the problem on the server itself, and
\`requestId\` identifies the request in its log. For invalid input, \`errors\` lists each fault with its \`pointer\`, \`parameter\` or \`header\`.

${renderTable(['Code', 'Status', 'What happened', 'What to do'], rows)}`
}

/** The list of guides for the dashboard, which must not import the server. */
export function renderGuideList(groups: readonly GuideGroup[]): string {
  const entries = [
    { title: GUIDE_INDEX.title, path: addressOfGuide(GUIDE_INDEX), group: 'Documentation' },
    { title: 'API reference', path: REFERENCE_PATH, group: 'Documentation' },
    { title: 'Problems', path: '/problems', group: 'Documentation' },
    ...groups.flatMap(({ title: group, guides }) =>
      guides.map((guide) => ({ title: guide.title, path: addressOfGuide(guide), group })),
    ),
  ]
  const quote = (text: string) => `'${text.replaceAll(/['\\]/g, '\\$&')}'`
  return `// Generated from packages/server/src/http/pages/guides.ts by \`npm run docs\`. Edit there, not here.

/** A page of the documentation that the server serves. */
export interface GuideLink {
  readonly title: string
  /** Its address on this server. */
  readonly path: string
  readonly group: string
}

/** Every guide, and the reference, in the order in which the documentation lists them. */
export const GUIDE_LINKS: readonly GuideLink[] = [
${entries.map(({ title, path, group }) => `  { title: ${quote(title)}, path: ${quote(path)}, group: ${quote(group)} },\n`).join('')}]
`
}

function notice(source: string): string {
  return `<!-- Generated from ${source} by \`npm run docs\`. Edit there, not here. -->`
}

function renderTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [headings, headings.map(() => '---'), ...rows.map((row) => row.map(escapeCell))]
  return lines.map((cells) => `| ${cells.join(' | ')} |\n`).join('')
}

function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ')
}

function code(text: string): string {
  return `\`${text}\``
}

if (import.meta.main) {
  for (const { path, render } of GENERATED) {
    // `a+`: a document that does not exist yet is created.
    const current = readFileSync(join(ROOT, path), { encoding: 'utf8', flag: 'a+' })
    const fresh = render()
    if (fresh !== current) writeFileSync(join(ROOT, path), fresh)
    process.stdout.write(`${path}: ${fresh === current ? 'unchanged' : 'written'}\n`)
  }
}
