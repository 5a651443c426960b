import { searchText } from '../../domain/search/tokens.ts'
import type { IssueRecord } from '../records/issues.ts'
import { type Lane, laneOf } from '../records/lanes.ts'
import { LANE_CODES } from '../sql/issue-rows.ts'

/** PostgreSQL keeps no position beyond this one, and no more than so many of one lexeme. */
const MAX_POSITION = 16_383
const MAX_POSITIONS = 255

/** Begins the lexeme that names project and lane. It is no letter, so no query of a person contains it. */
const PLACE_MARK = '\ue000'

/** The tokens of an issue with their positions, and where it belongs, as a literal of the type `tsvector`. */
export function toTsvector(projectSeq: number, { title, description, category }: IssueRecord): string {
  const positions = new Map<string, number[]>()
  for (const [index, token] of searchText(title, description).split(' ').entries()) {
    const known = positions.get(token)
    if (known === undefined) positions.set(token, index < MAX_POSITION ? [index + 1] : [])
    else if (index < MAX_POSITION && known.length < MAX_POSITIONS) known.push(index + 1)
  }
  positions.delete('')
  const lexemes = Array.from(positions, ([token, at]) => quoteLexeme(token) + (at.length > 0 ? `:${at}` : ''))
  return [quoteLexeme(placeOf(projectSeq, laneOf(category))), ...lexemes].join(' ')
}

/** The lexeme that every issue of a project and lane has. */
export function placeOf(projectSeq: number, lane: Lane): string {
  return `${PLACE_MARK}${LANE_CODES[lane]}.${projectSeq}`
}

/** A lexeme as PostgreSQL reads it. Tokens contain nothing to escape; if they ever did, it would stay text. */
export function quoteLexeme(token: string): string {
  return `'${token.replace(/['\\]/g, '$&$&')}'`
}
