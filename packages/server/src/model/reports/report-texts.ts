import { hash } from 'node:crypto'
import type { Category } from '@bugle/contract/vocabulary'
import { tokenize } from '../search/tokens.ts'

/** What a reporter wrote. Equal texts are stored once per issue. */
export interface ReportText {
  readonly title: string
  readonly description: string | null
}

/** The number of the first report's text. It is the issue's own title and description until people change them. */
export const FIRST_TEXT = 1
/** The value in place of a text's number if the text was redacted before it had one, or after it was dropped. */
export const REDACTED_TEXT = 0

/** Distinct texts of a crash that are kept: people read some of them, and a stack that changes with every report would never end. */
export const FIRST_TEXTS_KEPT = 100
export const LATEST_TEXTS_KEPT = 900

/** The number of distinct texts that a search covers, and of their words, so that it does not get slower with every report. */
export const SEARCHED_TEXTS = 50
export const MAX_REPORT_WORDS = 8_192
/** Very long words count more than once, so that the index stays small. */
const CHARS_PER_WORD = 8

const DIGEST_DIGITS = 32

/** Equal for equal texts, in hexadecimal. Texts contain no NUL, so it separates the parts. */
export function hashText({ title, description }: ReportText): string {
  const text = description === null ? title : `${title}\0${description}`
  return hash('sha256', text, 'hex').slice(0, DIGEST_DIGITS)
}

/** The text that is dropped when an issue gets another one. */
export function droppedText(category: Category, newNumber: number): number | null {
  const number = newNumber - LATEST_TEXTS_KEPT
  return category === 'crash' && number > FIRST_TEXTS_KEPT ? number : null
}

/** How many words of a text are searched: all of them, or none if the limit is reached. */
export function countSearchedWords(text: ReportText, number: number, wordsBefore: number): number {
  if (number > SEARCHED_TEXTS) return 0
  const { title, description } = text
  const chars = title.length + (description?.length ?? 0)
  // Cheap, and rules out texts that are far too long.
  if (wordsBefore + chars / CHARS_PER_WORD > MAX_REPORT_WORDS) return 0
  const tokens = tokenize(title).length + (description === null ? 0 : tokenize(description).length)
  const words = Math.max(1, tokens, Math.ceil(chars / CHARS_PER_WORD))
  return wordsBefore + words > MAX_REPORT_WORDS ? 0 : words
}
