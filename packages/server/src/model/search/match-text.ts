import type { SearchTerm } from '../issue-lists.ts'
import { matchesSearch } from './search-query.ts'
import {
  BORDER,
  isPlainText,
  MAX_TOKEN_CHARS,
  type SearchedText,
  tokensOfIssue,
  tokensOfReports,
} from './tokens.ts'

/** Checks whether texts match a search, with the same result as {@link matchesSearch}. Plain ASCII, which most texts are, is not split into words. */
export function createMatcher(
  terms: readonly SearchTerm[],
): (title: string, description: string | null, reportTexts?: readonly SearchedText[]) => boolean {
  const patterns = patternsOf(terms)
  const words = terms.flatMap(({ tokens }) => tokens)
  return (title, description, reportTexts = NO_TEXTS) => {
    if (!isPlain(title, description) || !reportTexts.every((text) => isPlain(text.title, text.description)))
      return matchesSearch(terms, [...tokensOfIssue(title, description), ...tokensOfReports(reportTexts)])
    if (patterns === undefined) return false
    let text = withBorder(title, description)
    for (const report of reportTexts) text += ` ${BORDER} ${withBorder(report.title, report.description)}`
    const folded = text.toLowerCase()
    // Fast, and excludes most texts that do not match.
    if (!words.every((word) => folded.includes(word))) return false
    return patterns.every((pattern) => pattern.test(folded))
  }
}

const NO_TEXTS: readonly SearchedText[] = []

function isPlain(title: string, description: string | null): boolean {
  return isPlainText(title) && (description === null || isPlainText(description))
}

function withBorder(title: string, description: string | null): string {
  return description === null ? title : `${title} ${BORDER} ${description}`
}

/** A pattern for each term, on text in lower case. `undefined`: a term has a word that plain text cannot contain. */
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

/** Tokens of plain text are letters and digits. Longer words are cut: what follows is ignored. */
function toWord(token: string): string {
  return token.length < MAX_TOKEN_CHARS ? token : `${token}[a-z0-9]*`
}
