import type { SearchTerm } from '../issue-lists.ts'
import { boundTerms } from './search-bounds.ts'
import { isHanOrKana, tokenize } from './tokens.ts'

/**
 * Parses a search: words, prefix*, "phrases". Any input is valid: one without tokens gives no terms, and one
 * beyond the bounds of `search-bounds.ts` is trimmed, so that it matches more, never less.
 */
export function parseSearch(q: string): readonly SearchTerm[] {
  const terms: SearchTerm[] = []
  for (const [, phrase, star, word] of q.replace(TYPOGRAPHIC_QUOTES, '"').matchAll(PHRASE_OR_WORD)) {
    terms.push(phrase === undefined ? readWord(word ?? '') : readPhrase(phrase, star === '*'))
  }
  return boundTerms(terms)
}

/** Whether a text with these tokens contains all terms, with the same result as the indexes of the databases. */
export function matchesSearch(terms: readonly SearchTerm[], tokens: readonly string[]): boolean {
  return terms.every((term) => tokens.some((_, start) => occursAt(term, tokens, start)))
}

// Phones insert them automatically.
const TYPOGRAPHIC_QUOTES = /[“”„«»＂]/g
// A quote that is never closed is ignored, and what follows it are words.
const PHRASE_OR_WORD = /"([^"]*)"(\*?)|([^\s"]+)/g
const ENDS_IN_HANGUL = /\p{Script=Hangul}$/u

// Korean appends particles to words: 설정 should find 설정에서. In quotes it finds only itself.
function readWord(word: string): SearchTerm {
  const term = toTerm(word, word.endsWith('*'))
  return ENDS_IN_HANGUL.test(term.tokens.at(-1) ?? '') ? { ...term, isPrefix: true } : term
}

function readPhrase(phrase: string, isStarred: boolean): SearchTerm {
  return toTerm(phrase, isStarred || phrase.trimEnd().endsWith('*'))
}

function toTerm(text: string, isPrefix: boolean): SearchTerm {
  const tokens = tokenize(text)
  const last = tokens.at(-1)
  if (last === undefined || !isHanOrKana(last)) return { tokens, isPrefix }
  // The run in the text may be longer than the run in the query. A single character is then the start of a
  // pair; after a pair the end of the run adds nothing.
  const endsInPair = isPair(tokens.at(-2))
  return endsInPair ? { tokens: tokens.slice(0, -1), isPrefix: false } : { tokens, isPrefix: true }
}

function isPair(token: string | undefined): boolean {
  return token !== undefined && isHanOrKana(token) && Array.from(token).length === 2
}

function occursAt(
  { tokens: wanted, isPrefix }: SearchTerm,
  tokens: readonly string[],
  start: number,
): boolean {
  return wanted.every((token, index) => {
    const found = tokens[start + index]
    const mayGoOn = isPrefix && index === wanted.length - 1
    return mayGoOn ? found?.startsWith(token) === true : found === token
  })
}
