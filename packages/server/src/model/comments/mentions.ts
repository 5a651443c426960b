import { MAX_MENTIONS } from '@bugle/contract/vocabulary'
import type { UserId } from '../ids.ts'
import type { UserRecord } from '../people/users.ts'

/** A person whom a text names. */
export interface Mention {
  readonly id: UserId
  /** As it is written in the text. */
  readonly name: string
}

/** A mention, and whether the person may see hidden issues. */
export type MentionedPerson = Mention & Pick<UserRecord, 'canSeeSecurity'>

type Person = Pick<UserRecord, 'id' | 'name' | 'canSeeSecurity'>

/** How many `@` of a text are examined. */
const MAX_EXAMINED_SIGNS = 200
/** Not within a word, as in an email address. */
const SIGN = /(?<![\p{L}\p{M}\p{N}_.+@-])@/gu
/** What would continue a name. */
const CONTINUATION = /^(?:[\p{L}\p{M}\p{N}_]|-[\p{L}\p{N}])/u

/** Whether a text may mention anyone. */
export function hasMentions(text: string): boolean {
  return text.includes('@')
}

/**
 * The people whom a text names by their full name after an `@`, whatever the case: each once, at most {@link MAX_MENTIONS}. The
 * longest name counts: `@Ada Lovelace` does not mention Ada.
 */
export function findMentions(text: string, people: readonly Person[]): readonly MentionedPerson[] {
  const byName = Map.groupBy(people, ({ name }) => keyOf(name))
  const lengths = [...new Set(people.map(({ name }) => name.length))].sort((one, other) => other - one)
  const found = new Map<UserId, MentionedPerson>()
  let examined = 0
  for (const { index } of text.matchAll(SIGN)) {
    if (++examined > MAX_EXAMINED_SIGNS || found.size >= MAX_MENTIONS) break
    for (const { id, canSeeSecurity, name } of namedAt(text, index + 1, lengths, byName)) {
      if (found.size < MAX_MENTIONS && !found.has(id)) found.set(id, { id, canSeeSecurity, name })
    }
  }
  return [...found.values()]
}

/** The people with the longest name that starts at a position, with the name as it is written there. */
function namedAt(
  text: string,
  from: number,
  lengths: readonly number[],
  byName: ReadonlyMap<string, readonly Person[]>,
): readonly Person[] {
  for (const length of lengths) {
    const name = text.slice(from, from + length)
    const named = byName.get(keyOf(name))
    if (named === undefined || CONTINUATION.test(text.slice(from + length, from + length + 4))) continue
    return named.map((person) => ({ ...person, name }))
  }
  return []
}

function keyOf(name: string): string {
  return name.normalize('NFC').toLowerCase()
}
