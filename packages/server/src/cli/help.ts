import type { Command, Option } from './command.ts'

const OUTLINE = `Usage: bugle <command> [options]

Bugle collects issue reports from your apps, on a server you run yourself.
`

const FOOTNOTES = `"bugle <command> --help" tells its options. "--json" prints JSON and nothing else.
"issues" asks the server at BUGLE_URL with the key in BUGLE_KEY; the other commands use the
database of BUGLE_DATABASE_URL, or ./data/bugle.db.`

/** What `bugle --help` prints; with the first word of a command, only the commands that begin with it. */
export function overview(commands: readonly Command[], word?: string): string {
  const shown = commands.filter(({ name }) => word === undefined || name.split(' ')[0] === word)
  const list = section(
    'Commands',
    shown.map((command) => [usageOf(command), command.summary]),
  )
  return `${OUTLINE}\n${list}\n\n${FOOTNOTES}`
}

/** What `bugle <command> --help` prints. */
export function helpFor(command: Command): string {
  const options = Object.entries(command.options).map(
    ([name, option]) => [spell(name, option), describe(option)] as const,
  )
  const variables = command.environment?.map(({ name, meaning }) => [name, meaning] as const)
  return [
    `Usage: bugle ${usageOf(command)} [options]`,
    `${command.summary}.`,
    section('Options', [...options, ['--json', 'print JSON and nothing else']]),
    ...(variables === undefined ? [] : [section('Environment', variables)]),
    ...(command.note === undefined ? [] : [command.note]),
  ].join('\n\n')
}

function section(
  heading: string,
  entries: readonly (readonly [spelling: string, meaning: string])[],
): string {
  const width = Math.max(...entries.map(([spelling]) => spelling.length))
  const lines = entries.map(([spelling, meaning]) => `  ${spelling.padEnd(width)}  ${meaning}`)
  return [`${heading}:`, ...lines].join('\n')
}

function usageOf({ name, positionals }: Command): string {
  return [name, ...positionals].join(' ')
}

function spell(name: string, { type, value }: Option): string {
  return type === 'boolean' ? `--${name}` : `--${name} ${value ?? 'TEXT'}`
}

function describe({ meaning, isRequired, multiple }: Option): string {
  return `${meaning}${isRequired ? ' (required)' : ''}${multiple ? ' (may be repeated)' : ''}`
}
