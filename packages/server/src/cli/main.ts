import { parseArgs } from 'node:util'
import { systemClock } from '../clock.ts'
import { ConfigError, readConfig } from '../config.ts'
import {
  describeDatabaseFault,
  migrationText,
  openExistingStorage,
  openMigrated,
  openStorageForCommand,
} from '../storage/open-storage.ts'
import type { Storage } from '../storage/storage.ts'
import { VERSION } from '../version.ts'
import {
  type Command,
  type CommandContext,
  CommandError,
  type Input,
  parseOptionsOf,
  type Terminal,
  UsageError,
} from './command.ts'
import { helpFor, overview, spell } from './help.ts'
import { osAccount } from './os-account.ts'
import { serveCommand } from './serve.ts'
import { createTerminal, type Streams } from './terminal/create-terminal.ts'
import { jsonText } from './terminal/printable.ts'
import { findUnknownSettings } from './unknown-settings.ts'
import { incomplete, incompleteCall, nearestOption, tooMany, unknownCommand } from './unknown-words.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** The `bugle` command. Resolves to the exit code: 0, 1 for a failure, 2 for bad usage. */
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
  const commands = await commandsFor(word)
  const command = findCommand(commands, args)
  const rest = args.slice(command?.name.split(' ').length)
  if (command === undefined || rest.includes('--help') || rest.includes('-h')) {
    terminal.print(
      word === '--version' || word === '-v' ? VERSION : helpOn(args, { command, commands }, terminal),
    )
    return 0
  }
  const input = readInput(command, rest)
  const result = await command.run(input, contextOf(command, environment, terminal))
  if (result !== undefined) terminal.print(terminal.isJson ? jsonText(result.json, 2) : result.text)
  return result?.isFailure ? 1 : 0
}

/** A server needs none of the other commands, and would keep their code in memory. */
async function commandsFor(word: string | undefined): Promise<readonly Command[]> {
  return word === serveCommand.name ? [serveCommand] : (await import('./commands.ts')).COMMANDS
}

interface Lookup {
  readonly command: Command | undefined
  readonly commands: readonly Command[]
}

function helpOn(args: readonly string[], { command, commands }: Lookup, terminal: Terminal): string {
  if (command !== undefined) return helpFor(command, terminal)
  const [word] = args
  if (word !== undefined && !word.startsWith('-') && !isGroup(commands, word))
    throw new UsageError(unknownCommand(commands, args))
  if (args.length > 0 && !args.includes('--help') && !args.includes('-h'))
    throw new UsageError(incomplete(commands, args))
  return overview(commands, terminal, isGroup(commands, word) ? word : undefined)
}

function findCommand(commands: readonly Command[], args: readonly string[]): Command | undefined {
  return commands.find(({ name }) => name.split(' ').every((word, index) => args[index] === word))
}

function isGroup(commands: readonly Command[], word: string | undefined): boolean {
  return commands.some(({ name }) => name.startsWith(`${word} `))
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

/** Everything that is missing, so that it is reported in one message. */
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
    // Only the first sentence: Node adds advice about arguments that start with "-", which no command accepts.
    const [sentence = ''] = error.message.split('. ', 1)
    const complaint = sentence.charAt(0).toLowerCase() + sentence.slice(1)
    throw new UsageError(`${complaint}${nearestOption(options, args)}; see "bugle ${command.name} --help"`, {
      cause: error,
    })
  }
}

function contextOf(command: Command, environment: Environment, terminal: Terminal): CommandContext {
  const config = readConfig(environment)
  return {
    config,
    terminal,
    unknownSettings: findUnknownSettings(environment),
    async withStorage(use) {
      const storage = await openFor(command, config.databaseUrl, terminal)
      try {
        return await use(storage.actingAs(osAccount(), systemClock))
      } finally {
        await storage.close()
      }
    },
    withApi: async (use) => (await import('./api-access.ts')).withApi(environment, use),
  }
}

function openFor(command: Command, databaseUrl: string, terminal: Terminal): Promise<Storage> {
  if (command.migratesDatabase)
    return openMigrated(databaseUrl, (step) => terminal.remark(`${migrationText(step)}\n`))
  return command.mayCreateDatabase ? openStorageForCommand(databaseUrl) : openExistingStorage(databaseUrl)
}

function isExpected(error: unknown): error is Error {
  return error instanceof UsageError || error instanceof CommandError || error instanceof ConfigError
}
