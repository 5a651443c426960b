import type { Command, Option } from './command.ts'

const OUTLINE = `Usage: bugle <command> [options]

Bugle collects issue reports from your apps, on a server you run yourself.
`

/** What `bugle --help` prints; with the first word of a command, only the commands that begin with it. */
export function overview(commands: readonly Command[], word?: string): string {
  const shown = commands.filter(({ name }) => word === undefined || name.split(' ')[0] === word)
  const width = Math.max(...shown.map((command) => usageOf(command).length))
  const lines = shown.map((command) => `  ${usageOf(command).padEnd(width)}  ${command.summary}`)
  return `${OUTLINE}\nCommands:\n${lines.join('\n')}\n\n"bugle <command> --help" tells its options. "--json" prints JSON and nothing else.\nThe database is the one of BUGLE_DATABASE_URL, or ./data/bugle.db.`
}

/** What `bugle <command> --help` prints. */
export function helpFor(command: Command): string {
  const options = Object.entries(command.options).map(
    ([name, option]) => [spell(name, option), describe(option)] as const,
  )
  const lines = [...options, ['--json', 'print JSON and nothing else'] as const]
  const width = Math.max(...lines.map(([spelling]) => spelling.length))
  const list = lines.map(([spelling, meaning]) => `  ${spelling.padEnd(width)}  ${meaning}`).join('\n')
  return `Usage: bugle ${usageOf(command)} [options]\n\n${command.summary}.\n\nOptions:\n${list}`
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
