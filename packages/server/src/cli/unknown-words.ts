import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { nearestName } from '../nearest-name.ts'
import type { Command } from './command.ts'

/** What to say of a first word that begins no command. */
export function unknownCommand(commands: readonly Command[], word: string): string {
  const words = [...new Set(commands.map(({ name }) => name.split(' ')[0] ?? ''))]
  return `there is no command "${word}"${suggest('', nearestName(word, words))}; "bugle --help" lists them`
}

/** What to say of words that only begin a command, or go on wrongly. */
export function incomplete(commands: readonly Command[], [word = '', next]: readonly string[]): string {
  const endings = commands.flatMap(({ name }) =>
    name.startsWith(`${word} `) ? [name.slice(word.length + 1)] : [],
  )
  if (endings.length === 0) return 'the options come after the command; "bugle --help" lists the commands'
  const needs = `"${word}" needs one of ${endings.join(', ')} after it`
  if (next === undefined || next.startsWith('-')) return needs
  return `there is no command "${word} ${next}"${suggest(`${word} `, nearestName(next, endings))}; ${needs}`
}

/** Which option was meant by the first that does not exist; empty if none is near. */
export function nearestOption(options: ParseArgsOptionsConfig, args: readonly string[]): string {
  const { tokens } = parseArgs({
    args: [...args],
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const unknown = tokens.find((token) => token.kind === 'option' && !Object.hasOwn(options, token.name))
  if (unknown?.kind !== 'option') return ''
  return suggest('--', nearestName(unknown.name, Object.keys(options)))
}

function suggest(before: string, nearest: string | undefined): string {
  return nearest === undefined ? '' : ` (did you mean "${before}${nearest}"?)`
}
