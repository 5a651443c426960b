import { parseArgs } from 'node:util'
import { ConfigError, readConfig } from '../config.ts'
import { describeDatabaseFault, openExistingStorage, openStorageForCommand } from '../storage/open-storage.ts'
import { VERSION } from '../version.ts'
import { withApi } from './api-access.ts'
import {
  type Command,
  type CommandContext,
  CommandError,
  type Input,
  parseOptionsOf,
  type Terminal,
  UsageError,
} from './command.ts'
import { backupCommand } from './data/backup.ts'
import { exportCommand } from './data/export.ts'
import { importCommand } from './data/import.ts'
import { migrateCommand } from './data/migrate.ts'
import { restoreCommand } from './data/restore.ts'
import { demoCommand } from './demo.ts'
import { doctorCommand } from './doctor/doctor.ts'
import { helpFor, overview, spell } from './help.ts'
import { issueCommands } from './issues/issues.ts'
import { keyCommands } from './keys.ts'
import { userCommands } from './people/users.ts'
import { projectCommands } from './projects.ts'
import { sdkConfigCommands } from './sdk-config.ts'
import { serveCommand } from './serve.ts'
import { createTerminal, type Streams } from './terminal/create-terminal.ts'
import { jsonText } from './terminal/printable.ts'
import { findUnknownSettings } from './unknown-settings.ts'
import { incomplete, incompleteCall, nearestOption, tooMany, unknownCommand } from './unknown-words.ts'
import { webhookCommands } from './webhooks/webhooks.ts'

export const COMMANDS: readonly Command[] = [
  serveCommand,
  ...projectCommands,
  ...keyCommands,
  ...userCommands,
  ...sdkConfigCommands,
  ...webhookCommands,
  ...issueCommands,
  exportCommand,
  importCommand,
  backupCommand,
  restoreCommand,
  doctorCommand,
  migrateCommand,
  demoCommand,
]

type Environment = Readonly<Record<string, string | undefined>>

/** The `bugle` command. The promise holds the exit code: 0, 1 for a failure, 2 for bad usage. */
export async function main(
  args: readonly string[],
  environment: Environment,
  streams: Streams,
): Promise<number> {
  const terminal = createTerminal(args.includes('--json'), environment, streams)
  try {
    return await dispatch(args, environment, terminal)
  } catch (error) {
    const sentence = isExpected(error) ? error.message : describeDatabaseFault(error)
    if (sentence === undefined) throw error
    terminal.fail(sentence)
    return error instanceof UsageError ? 2 : 1
  }
}

async function dispatch(
  args: readonly string[],
  environment: Environment,
  terminal: Terminal,
): Promise<number> {
  const [word, ...others] = args
  if (word === 'help') return dispatch([...others, '--help'], environment, terminal)
  const command = findCommand(args)
  const rest = args.slice(command?.name.split(' ').length)
  if (command === undefined || rest.includes('--help') || rest.includes('-h')) {
    terminal.print(word === '--version' || word === '-v' ? VERSION : helpOn(args, command, terminal))
    return 0
  }
  const input = readInput(command, rest)
  const result = await command.run(input, contextOf(command, environment, terminal))
  if (result !== undefined) terminal.print(terminal.isJson ? jsonText(result.json, 2) : result.text)
  return result?.isFailure ? 1 : 0
}

function helpOn(args: readonly string[], command: Command | undefined, terminal: Terminal): string {
  if (command !== undefined) return helpFor(command, terminal)
  const [word] = args
  if (word !== undefined && !word.startsWith('-') && !isGroup(word))
    throw new UsageError(unknownCommand(COMMANDS, args))
  if (args.length > 0 && !args.includes('--help') && !args.includes('-h'))
    throw new UsageError(incomplete(COMMANDS, args))
  return overview(COMMANDS, terminal, isGroup(word) ? word : undefined)
}

function findCommand(args: readonly string[]): Command | undefined {
  return COMMANDS.find(({ name }) => name.split(' ').every((word, index) => args[index] === word))
}

function isGroup(word: string | undefined): boolean {
  return COMMANDS.some(({ name }) => name.startsWith(`${word} `))
}

function readInput(command: Command, args: readonly string[]): Input {
  const { values, positionals } = parse(command, args)
  if (positionals.length > command.positionals.length) throw new UsageError(tooMany(command, positionals))
  const input: Input = {
    positionals,
    text: (option) => values[option] as string | undefined,
    texts: (option) => (values[option] as string[] | undefined) ?? [],
    isSet: (option) => values[option] === true,
  }
  const missing = missingOf(command, input)
  if (missing.length > 0) throw new UsageError(incompleteCall(command, missing))
  return input
}

/** Everything that is missing, so that it takes one more attempt and not several. */
function missingOf(command: Command, input: Input): readonly string[] {
  const options = Object.entries(command.options)
    .filter(([name, { isRequired }]) => isRequired && input.text(name) === undefined)
    .map(([name, option]) => spell(name, option))
  return [
    ...command.positionals.slice(input.positionals.length),
    ...options,
    ...(command.missing?.(input) ?? []),
  ]
}

function parse(command: Command, args: readonly string[]) {
  const options = parseOptionsOf(command)
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    // Node goes on with advice on arguments that begin with "-", which no command takes.
    const [sentence = ''] = error.message.split('. ', 1)
    const complaint = sentence.charAt(0).toLowerCase() + sentence.slice(1)
    throw new UsageError(`${complaint}${nearestOption(options, args)}; see "bugle ${command.name} --help"`, {
      cause: error,
    })
  }
}

function contextOf(
  { mayCreateDatabase }: Command,
  environment: Environment,
  terminal: Terminal,
): CommandContext {
  const config = readConfig(environment)
  const open = mayCreateDatabase ? openStorageForCommand : openExistingStorage
  return {
    config,
    terminal,
    unknownSettings: findUnknownSettings(environment),
    async withStorage(use) {
      const storage = await open(config.databaseUrl)
      try {
        return await use(storage)
      } finally {
        await storage.close()
      }
    },
    withApi: (use) => withApi(environment, use),
  }
}

function isExpected(error: unknown): error is Error {
  return error instanceof UsageError || error instanceof CommandError || error instanceof ConfigError
}
