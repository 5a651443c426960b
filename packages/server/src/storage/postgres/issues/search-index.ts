import type { Category } from '@bugle/contract/vocabulary'
import { type Lane, laneOf } from '../../../model/lanes.ts'
import { BORDER, type SearchedText, tokensOfIssue, tokensOfReports } from '../../../model/search/tokens.ts'
import { LANE_CODES } from '../../issues/lane-codes.ts'

/** PostgreSQL keeps no position beyond this one. */
const MAX_POSITION = 16_383

/** The number of issues whose words are stored together in the index. A search reads it block by block, until it has found enough. */
export const BLOCK_ISSUES = 16_384

/** The tokens of an issue and of its reports with their positions, as a literal of the type `tsvector`. */
export function toTsvector(
  projectSeq: number,
  number: number,
  { title, description, category }: SearchedText & { readonly category: Category },
  reportTexts: readonly SearchedText[] = [],
): string {
  const lane = laneOf(category)
  const own = tokensOfIssue(title, description)
  const lexemes = toLexemes(lexemePrefix(projectSeq, lane, blockOf(number)), own)
  if (reportTexts.length === 0) return lexemes
  const prefix = reportPrefix(projectSeq, lane, blockOf(number))
  return `${lexemes} ${toLexemes(prefix, tokensOfReports(reportTexts), own.length)}`
}

/** The same for texts of reports that are appended to what is stored. */
export function toAppendedTsvector(
  projectSeq: number,
  number: number,
  lane: Lane,
  texts: readonly SearchedText[],
): string {
  return toLexemes(reportPrefix(projectSeq, lane, blockOf(number)), tokensOfReports(texts))
}

function toLexemes(prefix: string, tokens: readonly string[], before = 0): string {
  const lexemes: string[] = []
  // A token is listed each time it occurs: PostgreSQL sorts them anyway, and keeps the first 255 positions of a lexeme.
  // There is nothing to escape: the only ASCII characters in tokens are letters and digits.
  for (const [index, token] of tokens.entries()) {
    // A gap in the positions is enough of a border.
    if (token === BORDER) continue
    const position = before + index + 1
    lexemes.push(position <= MAX_POSITION ? `'${prefix}${token}':${position}` : `'${prefix}${token}'`)
  }
  return lexemes.join(' ')
}

/** The block of its project that an issue belongs to. */
export function blockOf(number: number): number {
  return Math.floor(number / BLOCK_ISSUES)
}

/**
 * Every lexeme of an issue begins with its lane, project and block. A search then reads only entries of its
 * own blocks: its cost depends neither on other projects nor on the number of issues in its own.
 */
export function lexemePrefix(projectSeq: number, lane: Lane, block: number): string {
  return `${LANE_CODES[lane]}.${projectSeq}.${block}:`
}

/** The same for the texts of its reports, which not everyone who finds the issue may search. */
export function reportPrefix(projectSeq: number, lane: Lane, block: number): string {
  return `${LANE_CODES[lane]}.${projectSeq}.${block}+`
}
