import type { ParseArgsOptionsConfig } from 'node:util'
import type { Client } from '@bugle/client'
import type { Config } from '../config.ts'
import type { Storage } from '../storage/storage.ts'
import type { Colours } from './terminal/colours.ts'
import type { Screen } from './terminal/tables.ts'

/** A command of `bugle`, as data: help and parsing are derived from it. */
export interface Command {
  /** The words to type, such as `project create`. */
  readonly name: string
  readonly summary: string
  readonly positionals: readonly string[]
  readonly options: Readonly<Record<string, Option>>
  /** Further requirements, such as one of two options; reported in the same message as missing required options. */
  missing?(input: Input): readonly string[]
  /** Whether it may create the database. Other commands fail if there is none, because the URL is probably wrong. */
  readonly mayCreateDatabase?: true
  /** Whether it migrates the database to the schema of this release. Other commands, except for the server, refuse an earlier schema. */
  readonly migratesDatabase?: true
  /** The environment variables to list in the help. */
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

/** The arguments, validated against the command. */
export interface Input {
  readonly positionals: readonly string[]
  text(option: string): string | undefined
  texts(option: string): readonly string[]
  isSet(option: string): boolean
}

/** What a command may use. */
export interface CommandContext {
  readonly config: Config
  /** Warnings, as sentences, about variables that look like settings but are not. */
  readonly unknownSettings: readonly string[]
  /** Opens the database, calls the function, and closes the database. Creates it only if the command is allowed to. */
  withStorage<T>(use: (storage: Storage) => Promise<T>): Promise<T>
  /** Provides an API client for the server named in the environment. */
  withApi<T>(use: (client: Client) => Promise<T>): Promise<T>
  readonly terminal: Terminal
}

export interface Terminal extends Screen {
  readonly isJson: boolean
  /** For standard error, which may be a terminal when standard output is not. */
  readonly errorColours: Colours
  /** Whether standard error is a terminal: only then is progress shown. */
  readonly showsProgress: boolean
  /** All of standard input, as text. Fails if it is very long. */
  readInput(): Promise<string>
  /** Writes a part of a long result as is. Resolves once it is written, so that only one part is in memory. */
  write(text: string): Promise<void>
  print(text: string): void
  /** Text for people on standard output; omitted with `--json`. */
  announce(text: string): void
  /** Progress, on standard error. */
  remark(text: string): void
  /** A warning on standard error, also with `--json`. */
  warn(sentence: string): void
  /** Why the command failed, on standard error, also with `--json`. */
  fail(sentence: string): void
}

/** The outcome, for programs and for people. */
export interface Result {
  readonly json: unknown
  readonly text: string
  /** The text describes a problem: exit 1. */
  readonly isFailure?: boolean
}

/** The command line is invalid: exit 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** The command was understood, but failed: exit 1. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
}

/** For `catch`: turns a system error into a failure of the command. */
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
