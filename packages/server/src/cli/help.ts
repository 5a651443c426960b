import type { Command, Option } from './command.ts'
import { pad, wrap } from './terminal/fit.ts'
import type { Screen } from './terminal/tables.ts'

const OUTLINE = 'Bugle collects issue reports from your apps, on a server you run yourself.'

const FOOTNOTES = [
  'Run "bugle <command> --help" for its options. "--json" prints JSON and nothing else.',
  '"bugle issues …" uses the API of the server at BUGLE_URL with the key in BUGLE_KEY. The other commands use the database in BUGLE_DATABASE_URL, by default ./data/bugle.db.',
]
/** Wider lines are hard to read. */
const MOST_COLUMNS = 100
/** With less space than this, a description starts on its own line. */
const LEAST_ROOM = 30

/** The output of `bugle --help`; with the first word of a command, only the commands that start with it. */
export function overview(commands: readonly Command[], screen: Screen, word?: string): string {
  const shown = commands.filter(({ name }) => word === undefined || name.split(' ')[0] === word)
  const list = section(
    'Commands',
    shown.map((command) => [usageOf(command), command.summary]),
    screen,
  )
  const paragraphs = ['Usage: bugle <command> [options]', paragraph(OUTLINE, screen), list]
  return [...paragraphs, FOOTNOTES.map((note) => paragraph(note, screen)).join('\n')].join('\n\n')
}

/** The output of `bugle <command> --help`. */
export function helpFor(command: Command, screen: Screen): string {
  const options = Object.entries(command.options).map(
    ([name, option]) => [spell(name, option), describe(option)] as const,
  )
  const variables = command.environment?.map(({ name, meaning }) => [name, meaning] as const)
  return [
    `Usage: bugle ${usageOf(command)} [options]`,
    paragraph(`${command.summary}.`, screen),
    section('Options', [...options, ['--json', 'print JSON and nothing else']], screen),
    ...(variables === undefined ? [] : [section('Environment', variables, screen)]),
    ...(command.note === undefined ? [] : [paragraph(command.note, screen)]),
  ].join('\n\n')
}

/** An option as it is written, with the name of its value. */
export function spell(name: string, { type, value }: Option): string {
  return type === 'boolean' ? `--${name}` : `--${name} ${value ?? 'TEXT'}`
}

function section(
  heading: string,
  entries: readonly (readonly [spelling: string, meaning: string])[],
  { columns, colours }: Screen,
): string {
  const width = Math.max(...entries.map(([spelling]) => spelling.length))
  const hasRoom = columns - width - 4 >= LEAST_ROOM
  const indent = ' '.repeat(hasRoom ? width + 4 : 6)
  const lines = entries.flatMap(([spelling, meaning]) => {
    const [first = '', ...rest] = wrap(meaning, columns - indent.length)
    const name = colours.accent(spelling)
    if (!hasRoom) return [`  ${name}`, ...[first, ...rest].map((line) => indent + line)]
    return [`  ${name}${pad('', width - spelling.length)}  ${first}`, ...rest.map((line) => indent + line)]
  })
  return [colours.strong(`${heading}:`), ...lines].join('\n')
}

function paragraph(text: string, { columns }: Screen): string {
  return wrap(text, Math.min(columns, MOST_COLUMNS)).join('\n')
}

function usageOf({ name, positionals }: Command): string {
  return [name, ...positionals].join(' ')
}

function describe({ meaning, isRequired, multiple }: Option): string {
  return `${meaning}${isRequired ? ' (required)' : ''}${multiple ? ' (can be repeated)' : ''}`
}
