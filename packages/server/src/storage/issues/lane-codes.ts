import type { Category } from '@bugle/contract/vocabulary'
import type { IssueSelection } from '../../model/issue-lists.ts'
import { type Lane, laneOf } from '../../model/lanes.ts'

export const LANE_CODES: Readonly<Record<Lane, number>> = { open: 0, security: 1 }

/** Added to the code of the lane for issues that are spam: these are stored and counted apart from the others. */
export const SPAM_CODE = 2

/** Every code, by its name in a file. */
export const CODES = {
  ...LANE_CODES,
  spam: SPAM_CODE,
  security_spam: SPAM_CODE + LANE_CODES.security,
} as const

/** The code that an issue and its rows are stored with. Its events have that of the lane. */
export function codeOf({ category, spamAt = null }: CodedIssue): number {
  return LANE_CODES[laneOf(category)] + (spamAt === null ? 0 : SPAM_CODE)
}

interface CodedIssue {
  readonly category: Category
  readonly spamAt?: number | null
}

/** The codes of the issues in a list. */
export function codesIn({ lanes, isSpam }: Pick<IssueSelection, 'lanes' | 'isSpam'>): readonly number[] {
  return lanes.map((lane) => LANE_CODES[lane] + (isSpam ? SPAM_CODE : 0))
}

/** The lane of an issue, whether it is spam or not. */
export function laneOfCode(code: number): Lane {
  return code % SPAM_CODE === LANE_CODES.security ? 'security' : 'open'
}

/** The lanes that readers of this one see: they are nested. */
export function lanesUpTo(lane: Lane): readonly number[] {
  return Object.values(LANE_CODES).filter((code) => code <= LANE_CODES[lane])
}

/** The lanes are nested: a caller who sees the second sees the first. Spam is in neither. */
export function highestLane(lanes: readonly Lane[]): number {
  return Math.max(...lanes.map((lane) => LANE_CODES[lane]))
}

const CODE_COUNT = Object.keys(CODES).length

/** A lane of a project, as one number. */
export function placeOf(projectSeq: number, lane: number): number {
  return projectSeq * CODE_COUNT + lane
}

/** The inverse of {@link placeOf}. */
export function laneAt(place: number): { readonly projectSeq: number; readonly lane: number } {
  return { projectSeq: Math.floor(place / CODE_COUNT), lane: place % CODE_COUNT }
}
