import type { Person } from '@bugle/contract'

/** More would not be useful in a menu. */
const MAX_SUGGESTIONS = 8
/** The beginning of a mention before the caret: a sign at the start of a word, and what was typed after it. */
const BEGINNING = /(?<![\p{L}\p{N}_@])@([\p{L}\p{N}][^@\n]{0,60})?$/u

export interface Mention {
  /** The position of the `@`. */
  readonly from: number
  /** The people it may become. */
  readonly people: readonly Person[]
}

/** The mention that is being typed before the caret, if there are people it may become. */
export function findMention(text: string, caret: number, people: readonly Person[]): Mention | undefined {
  const found = BEGINNING.exec(text.slice(0, caret))
  if (found === null) return undefined
  const typed = (found[1] ?? '').toLowerCase()
  const matching = people.filter(({ name }) => matches(name.toLowerCase(), typed)).slice(0, MAX_SUGGESTIONS)
  return matching.length === 0 ? undefined : { from: found.index, people: matching }
}

/** Whether the name, or one of its words, begins with this. A name that is complete needs no suggestion. */
function matches(name: string, typed: string): boolean {
  if (name === typed.trimEnd()) return false
  return name.startsWith(typed) || name.split(/\s+/).some((word) => word.startsWith(typed))
}
