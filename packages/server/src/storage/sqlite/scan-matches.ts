import type { DatabaseSync } from 'node:sqlite'
import { matchesSearch } from '../../domain/search/search-query.ts'
import { mayHaveTokens, tokensOfIssue } from '../../domain/search/tokens.ts'
import { laneOfCode } from '../sql/issue-rows.ts'
import type { MatchPlan } from '../sql/list-dialect.ts'

/** Pages up to this long are tried for without the index. */
const MAX_SCANNED_PAGE = 101
/** Rows looked at to see how common something is; and how many of them make it common. */
const SAMPLE_ROWS = 250
const COMMON_IN_SAMPLE = 5
/** Rows looked at for a page. */
const MAX_SCANNED_ROWS = 2_000

/**
 * A page of matches for a word's beginning, if it is common: found by looking at rows one after the other. FTS5 merges
 * everything that begins so before it gives the first match, which takes half a second for a letter and a million
 * issues. Of what is rare it has little to merge.
 */
export function findCommonMatches(db: DatabaseSync, plan: MatchPlan): readonly number[] | undefined {
  const { examined } = plan
  if (!hasBeginning(plan) || examined > MAX_SCANNED_PAGE) return undefined
  const matches: number[] = []
  let looked = 0
  for (const { row, isMatch } of look(db, plan)) {
    if (isMatch) matches.push(row)
    if (matches.length === examined) return matches
    looked++
    const isRare = looked === SAMPLE_ROWS && matches.length < COMMON_IN_SAMPLE
    if (isRare || looked === MAX_SCANNED_ROWS) return undefined
  }
  // All there is was looked at.
  return matches
}

/** About how many of the rows match, if it is asked for a word's beginning and it is common: to count them takes too long. */
export function estimateCommonMatches(db: DatabaseSync, plan: MatchPlan, rows: number): number {
  if (!hasBeginning(plan)) return 0
  const sample = Array.from(look(db, plan).take(SAMPLE_ROWS))
  const matches = sample.filter(({ isMatch }) => isMatch).length
  return matches < COMMON_IN_SAMPLE ? 0 : (matches / sample.length) * rows
}

function hasBeginning({ selection }: MatchPlan): boolean {
  return selection.search?.some(({ isPrefix }) => isPrefix) === true
}

/** The matches among rows that the index does not know. */
export function* matchesAmong(db: DatabaseSync, plan: MatchPlan): Iterable<number> {
  for (const { row, isMatch } of look(db, plan)) if (isMatch) yield row
}

/** Looks at rows through the tokenizer that the index is made with. */
function* look(db: DatabaseSync, { selection, range, direction }: MatchPlan): Generator<Looked, void> {
  const rows = db
    .prepare(
      `SELECT row, lane, title, description FROM issues WHERE row > ? AND row < ? ORDER BY row ${direction}`,
    )
    .iterate(range.low, range.high) as Iterable<unknown> as Iterable<TextRow>
  const terms = selection.search ?? []
  const words = terms.flatMap(({ tokens }) => tokens)
  for (const { row, lane, title, description } of rows) {
    // What is hidden counts as looked at: there may be a lot of it.
    const isSeen = selection.lanes.includes(laneOfCode(lane))
    const isMatch =
      isSeen &&
      mayHaveTokens(title, description, words) &&
      matchesSearch(terms, tokensOfIssue(title, description))
    yield { row, isMatch }
  }
}

interface Looked {
  readonly row: number
  readonly isMatch: boolean
}

interface TextRow {
  readonly row: number
  readonly lane: number
  readonly title: string
  readonly description: string | null
}
