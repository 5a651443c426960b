import type { IssueRecord } from '../../model/issues.ts'
import { type Lane, laneOf } from '../../model/lanes.ts'
import { tokensOfIssue } from '../../model/search/tokens.ts'
import { LANE_CODES } from '../sql/issue-rows.ts'

/** PostgreSQL keeps no position beyond this one. */
const MAX_POSITION = 16_383

/** Issues that one lexeme names together: so many at least are looked through by a search for a common word. */
export const BLOCK_ISSUES = 16_384

/** Begins the lexeme that names a block. It is no letter, so no query of a person contains it. */
const BLOCK_MARK = '\ue000'

/** The tokens of an issue with their positions, and the block it lies in, as a literal of the type `tsvector`. */
export function toTsvector(
  projectSeq: number,
  number: number,
  { title, description, category }: Pick<IssueRecord, 'title' | 'description' | 'category'>,
): string {
  const block = quoteLexeme(blockLexeme(projectSeq, laneOf(category), blockOf(number)))
  // Each time it occurs: PostgreSQL sorts them anyway, and keeps the first 255 positions of a lexeme. There is nothing to
  // escape: of ASCII, tokens contain only letters and digits.
  const lexemes = tokensOfIssue(title, description).map((token, index) =>
    index < MAX_POSITION ? `'${token}':${index + 1}` : `'${token}'`,
  )
  return `${block} ${lexemes.join(' ')}`
}

/** The block of its project that an issue lies in. */
export function blockOf(number: number): number {
  return Math.floor(number / BLOCK_ISSUES)
}

/** The lexeme that all issues of one lane in a block have. */
export function blockLexeme(projectSeq: number, lane: Lane, block: number): string {
  return `${BLOCK_MARK}${LANE_CODES[lane]}.${projectSeq}.${block}`
}

/** A lexeme as PostgreSQL reads it. Tokens contain nothing to escape; if they ever did, it would stay text. */
export function quoteLexeme(token: string): string {
  return `'${token.replace(/['\\]/g, '$&$&')}'`
}
