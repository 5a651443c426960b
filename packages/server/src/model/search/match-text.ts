import type { SearchTerm } from '../issue-lists.ts'
import { matchesSearch } from './search-query.ts'
import { BORDER, isPlainText, MAX_TOKEN_CHARS, tokensOfIssue } from './tokens.ts'

/** Tells whether texts match a search, as {@link matchesSearch} does. Plain ASCII, which most texts are, is not split into words for that. */
export function createMatcher(
  terms: readonly SearchTerm[],
): (title: string, description: string | null) => boolean {
  const patterns = patternsOf(terms)
  const words = terms.flatMap(({ tokens }) => tokens)
  return (title, description) => {
    const text = description === null ? title : `${title} ${description}`
    if (!isPlainText(text)) return matchesSearch(terms, tokensOfIssue(title, description))
    if (patterns === undefined) return false
    const folded = (description === null ? title : `${title} ${BORDER} ${description}`).toLowerCase()
    // Quick, and rules out most of what does not match.
    if (!words.every((word) => folded.includes(word))) return false
    return patterns.every((pattern) => pattern.test(folded))
  }
}

/** A pattern for each term, on text in lower case. `undefined`: one has a word that no plain text has. */
function patternsOf(terms: readonly SearchTerm[]): readonly RegExp[] | undefined {
  if (!terms.every(({ tokens }) => tokens.every(isPlainText))) return undefined
  return terms.map(({ tokens, isPrefix }) => {
    const end = isPrefix ? '' : NO_WORD_AFTER
    return new RegExp(NO_WORD_BEFORE + tokens.map(toWord).join(BETWEEN_WORDS) + end)
  })
}

const NO_WORD_BEFORE = '(?<![a-z0-9])'
const NO_WORD_AFTER = '(?![a-z0-9])'
const BETWEEN_WORDS = `[^a-z0-9${BORDER}]+`

/** Tokens of plain text are letters and digits. Longer words are cut: what goes on after that does not count. */
function toWord(token: string): string {
  return token.length < MAX_TOKEN_CHARS ? token : `${token}[a-z0-9]*`
}
