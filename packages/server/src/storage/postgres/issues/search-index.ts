import type { StoredIssue } from '../../../model/issues.ts'
import { type Lane, laneOf } from '../../../model/lanes.ts'
import { BORDER, tokensOfIssue } from '../../../model/search/tokens.ts'
import { LANE_CODES } from '../../issues/lane-codes.ts'

/** PostgreSQL keeps no position beyond this one. */
const MAX_POSITION = 16_383

/** Issues whose words lie together in the index. A search reads it block by block, until it has found enough. */
export const BLOCK_ISSUES = 16_384

/** The tokens of an issue with their positions, as a literal of the type `tsvector`. */
export function toTsvector(
  projectSeq: number,
  number: number,
  { title, description, category }: Pick<StoredIssue, 'title' | 'description' | 'category'>,
): string {
  const prefix = lexemePrefix(projectSeq, laneOf(category), blockOf(number))
  const lexemes: string[] = []
  // A token is listed each time it occurs: PostgreSQL sorts them anyway, and keeps the first 255 positions of a lexeme.
  // There is nothing to escape: of ASCII, tokens contain only letters and digits.
  for (const [index, token] of tokensOfIssue(title, description).entries()) {
    // A position without a lexeme is border enough.
    if (token === BORDER) continue
    lexemes.push(index < MAX_POSITION ? `'${prefix}${token}':${index + 1}` : `'${prefix}${token}'`)
  }
  return lexemes.join(' ')
}

/** The block of its project that an issue lies in. */
export function blockOf(number: number): number {
  return Math.floor(number / BLOCK_ISSUES)
}

/**
 * Every lexeme of an issue begins with its lane, project and block. A search then reads only entries of its own blocks:
 * what it costs depends neither on other projects nor on how many issues its own has.
 */
export function lexemePrefix(projectSeq: number, lane: Lane, block: number): string {
  return `${LANE_CODES[lane]}.${projectSeq}.${block}:`
}
