import type { ParseArgsOptionsConfig } from 'node:util'
import type { Client } from '@bugle/client'
import type { Config } from '../config.ts'
import type { Storage } from '../storage/storage.ts'
import type { Colours } from './terminal/colours.ts'
import type { Screen } from './terminal/tables.ts'

/** One thing that `bugle` can do, as data: help and parsing are derived from it. */
export interface Command {
  /** Its words, as in `project create`. */
  readonly name: string
  readonly summary: string
  readonly positionals: readonly string[]
  readonly options: Readonly<Record<string, Option>>
  /** What is missing besides required options, such as one of two: named in the same complaint as those. */
  missing?(input: Input): readonly string[]
  /** Whether it may create the database. The others fail where there is none: the URL is wrong. */
  readonly mayCreateDatabase?: true
  /** What it reads from the environment; of the settings of the server, those that help should name. */
  readonly environment?: readonly Variable[]
  /** The last paragraph of its help. */
  readonly note?: string
  /** `undefined` if everything was printed while it ran. */
  run(input: Input, context: CommandContext): Promise<Result | undefined>
}

export interface Option {
  readonly type: 'string' | 'boolean'
  /** May be given several times. */
  readonly multiple?: true
  readonly isRequired?: true
  /** What the value is called in the help. */
  readonly value?: string
  readonly meaning: string
}

export interface Variable {
  readonly name: string
  readonly meaning: string
}

/** What the user wrote, checked against the command. */
export interface Input {
  readonly positionals: readonly string[]
  text(option: string): string | undefined
  texts(option: string): readonly string[]
  isSet(option: string): boolean
}

/** What a command may reach for. */
export interface CommandContext {
  readonly config: Config
  /** Variables that look like settings but are not, as sentences. */
  readonly unknownSettings: readonly string[]
  /** Opens the database, hands it over and closes it again. Creates one only if the command may. */
  withStorage<T>(use: (storage: Storage) => Promise<T>): Promise<T>
  /** Hands over a client of the server that the environment names. */
  withApi<T>(use: (client: Client) => Promise<T>): Promise<T>
  readonly terminal: Terminal
}

export interface Terminal extends Screen {
  readonly isJson: boolean
  /** For standard error, which may be a terminal when standard output is not. */
  readonly errorColours: Colours
  /** Whether standard error is a terminal: only then is progress shown. */
  readonly showsProgress: boolean
  /** A part of a long result, as it is. Resolves once it is written, so that no more than one part is in memory. */
  write(text: string): Promise<void>
  print(text: string): void
  /** Words for people on standard output; with `--json` they are left out. */
  announce(text: string): void
  /** Progress, on standard error. */
  remark(text: string): void
  /** What was probably not intended, on standard error, with `--json` too. */
  warn(sentence: string): void
  /** Why the command failed, on standard error, with `--json` too. */
  fail(sentence: string): void
}

/** The outcome, for programs and for people. */
export interface Result {
  readonly json: unknown
  readonly text: string
  /** The text says what is wrong: exit 1. */
  readonly isFailure?: boolean
}

/** The command line makes no sense: exit 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** The command was understood, but failed: exit 1. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
}

/** For `catch`: what the system refused becomes a failure of the command. */
export function failingWith(what: string): (error: unknown) => never {
  return (error) => {
    const reason = error instanceof Error ? error.message : String(error)
    throw new CommandError(`${what}: ${reason}`, { cause: error })
  }
}

export function parseOptionsOf(command: Command): ParseArgsOptionsConfig {
  const own = Object.entries(command.options).map(([name, { type, multiple = false }]) => [
    name,
    { type, multiple },
  ])
  return { ...Object.fromEntries(own), json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } }
}
