import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { nearestName } from '../nearest-name.ts'
import type { Command } from './command.ts'

/** Words that other programs use for our commands: each list has synonyms. */
const SYNONYMS = [
  ['create', 'add', 'new', 'make'],
  ['delete', 'remove', 'rm', 'revoke', 'destroy'],
  ['show', 'get', 'view', 'describe', 'info'],
  ['list', 'ls', 'all'],
  ['update', 'edit', 'change', 'set', 'modify'],
  ['move', 'status', 'transition', 'mv'],
  ['note', 'annotate'],
  ['tail', 'watch', 'follow', 'stream'],
  ['link', 'reset-password', 'invite'],
  ['serve', 'start', 'run', 'server', 'up'],
  ['doctor', 'check', 'diagnose', 'status'],
] as const

/** The message if no command starts with the first word. */
export function unknownCommand(commands: readonly Command[], args: readonly string[]): string {
  const [word = '', next = ''] = args
  const firsts = [...new Set(commands.map(({ name }) => name.split(' ')[0] ?? ''))]
  const group = nearestWord(word, firsts)
  // "list" alone, or "list issues" in the wrong order.
  const turned = nearestCommand(commands, `${next} ${word}`) ?? commands.filter(endsWith(word)).map(nameOf)
  const guesses = group === undefined ? turned : [commandIn(commands, group, next)]
  return `no matching command for "${word}"${suggest('', guesses)}; "bugle --help" lists all commands`
}

/** The message if the words are incomplete or do not match a command. */
export function incomplete(commands: readonly Command[], [word = '', next]: readonly string[]): string {
  const endings = endingsOf(commands, word)
  if (endings.length === 0) return 'options go after the command; "bugle --help" lists all commands'
  const needs = `"bugle ${word}" is followed by ${orOf(endings)}`
  if (next === undefined || next.startsWith('-')) return needs
  const nearest = nearestWord(next, endings)
  const guesses = nearest === undefined ? [] : [`${word} ${nearest}`]
  return `no matching command for "${word} ${next}"${suggest('', guesses)}; ${needs}`
}

/** The message if arguments or options are missing, all at once. */
export function incompleteCall({ name }: Command, missing: readonly string[]): string {
  return `"bugle ${name}" needs ${andOf(missing)}; see "bugle ${name} --help"`
}

/** The message if there are too many arguments. */
export function tooMany({ name, positionals }: Command, given: readonly string[]): string {
  const takes = positionals.length === 0 ? 'no arguments' : `only ${andOf(positionals)}`
  const extra = given.slice(positionals.length).map((word) => `"${word}"`)
  return `"bugle ${name}" takes ${takes}, so ${andOf(extra)} is unexpected; quote values that contain spaces`
}

/** A suggestion for the first unknown option; empty if no name is close. */
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
  const nearest = nearestName(unknown.name, Object.keys(options))
  return suggest('--', nearest === undefined ? [] : [nearest])
}

/** "a", "a and b", "a, b and c". */
export function andOf(words: readonly string[]): string {
  return joined(words, 'and')
}

function orOf(words: readonly string[]): string {
  return joined(words, 'or')
}

function joined(words: readonly string[], conjunction: string): string {
  const last = words.at(-1) ?? ''
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} ${conjunction} ${last}`
}

function commandIn(commands: readonly Command[], group: string, next: string): string {
  const nearest = nearestWord(next, endingsOf(commands, group))
  return nearest === undefined ? group : `${group} ${nearest}`
}

function nearestCommand(commands: readonly Command[], words: string): readonly string[] | undefined {
  const nearest = nearestName(words, commands.map(nameOf))
  return nearest === undefined ? undefined : [nearest]
}

function endingsOf(commands: readonly Command[], word: string): readonly string[] {
  return commands.flatMap(({ name }) => (name.startsWith(`${word} `) ? [name.slice(word.length + 1)] : []))
}

function endsWith(word: string): (command: Command) => boolean {
  return ({ name }) => name.endsWith(` ${word}`)
}

function nameOf({ name }: Command): string {
  return name
}

/** The word that was probably meant: by its spelling, otherwise by its meaning. */
function nearestWord(word: string, known: readonly string[]): string | undefined {
  const spelled = nearestName(word, known)
  if (spelled !== undefined) return spelled
  const meant = SYNONYMS.filter((words) => words.some((one) => one === word)).flat()
  return known.find((candidate) => meant.some((one) => one === candidate))
}

function suggest(before: string, guesses: readonly string[]): string {
  const shown = guesses.map((guess) => `"${before}${guess}"`)
  return shown.length === 0 ? '' : ` (did you mean ${orOf(shown)}?)`
}
