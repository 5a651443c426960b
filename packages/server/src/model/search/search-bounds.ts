import type { SearchTerm } from '../issue-lists.ts'
import { isHanOrKana } from './tokens.ts'

/** The bounds of a search. Each term costs time for every issue that is examined. */
export const MAX_SEARCH_TERMS = 16
export const MAX_PREFIXES = 4
export const MAX_PHRASES = 8
export const MAX_PHRASE_TOKENS = 16
/** A shorter prefix matches too many words. In Han, kana and Hangul one character is enough, because it is a syllable or a word. */
export const MIN_PREFIX_CHARS = 2

/** Tokens times issue numbers that one request covers. */
const MAX_SEARCH_WORK = 1_600_000

/**
 * Trims a search to the bounds: equal and implied terms are merged, prefixes that are too short are ignored, long
 * phrases are cut, and terms beyond the permitted number are ignored. The result matches more, never less.
 */
export function boundTerms(terms: readonly SearchTerm[]): readonly SearchTerm[] {
  const distinct = new Map(
    terms
      .map(boundTerm)
      .filter(({ tokens }) => tokens.length > 0)
      .map((term) => [JSON.stringify(term), term]),
  )
  const all = [...distinct.values()]
  const needed = all.filter((term) => !all.some((other) => other !== term && implies(other, term)))
  const counts = { prefixes: 0, phrases: 0 }
  return needed.filter((term) => isWithin(term, counts)).slice(0, MAX_SEARCH_TERMS)
}

/**
 * How many issue numbers, visible or not, one request covers for these terms, counted from its start.
 * Numbers, not matches: the range of a search must not depend on issues that its caller cannot see.
 */
export function numbersCovered(terms: readonly SearchTerm[]): number {
  const tokens = terms.reduce((sum, term) => sum + term.tokens.length, 0)
  return Math.floor(MAX_SEARCH_WORK / Math.max(1, tokens))
}

const IS_HANGUL = /^\p{Script=Hangul}/u
const IS_LETTER_OR_DIGIT = /^[\p{L}\p{N}]/u

function boundTerm({ tokens, isPrefix }: SearchTerm): SearchTerm {
  if (tokens.length > MAX_PHRASE_TOKENS)
    return { tokens: tokens.slice(0, MAX_PHRASE_TOKENS), isPrefix: false }
  const last = tokens.at(-1)
  if (!isPrefix || last === undefined || isLongEnough(last)) return { tokens, isPrefix }
  // A single emoji is a whole token, while such a short prefix of a word is useless.
  return IS_LETTER_OR_DIGIT.test(last)
    ? { tokens: tokens.slice(0, -1), isPrefix: false }
    : { tokens, isPrefix: false }
}

function isLongEnough(beginning: string): boolean {
  return (
    Array.from(beginning).length >= MIN_PREFIX_CHARS || isHanOrKana(beginning) || IS_HANGUL.test(beginning)
  )
}

/** Whether every text that contains the first term also contains the second, which is a single token. */
function implies(one: SearchTerm, { tokens: [token = '', ...more], isPrefix }: SearchTerm): boolean {
  if (more.length > 0) return false
  return one.tokens.some((known, index) => {
    if (isPrefix) return known.startsWith(token)
    const mayGoOn = one.isPrefix && index === one.tokens.length - 1
    return known === token && !mayGoOn
  })
}

function isWithin({ tokens, isPrefix }: SearchTerm, counts: { prefixes: number; phrases: number }): boolean {
  if (isPrefix && ++counts.prefixes > MAX_PREFIXES) return false
  return tokens.length === 1 || ++counts.phrases <= MAX_PHRASES
}
