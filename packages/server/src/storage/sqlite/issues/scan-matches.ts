import type { DatabaseSync } from 'node:sqlite'
import type { IssueSelection, ListBounds, SearchTerm } from '../../../model/issue-lists.ts'
import { createMatcher } from '../../../model/search/match-text.ts'
import { isPlainText } from '../../../model/search/tokens.ts'
import { LANE_CODES } from '../../issues/lane-codes.ts'
import type { KeyRange, MatchPlan } from '../../issues/lists/list-dialect.ts'
import { prepareOnce } from '../driver/statements.ts'
import { type Found, type Step, stepsThrough } from './search-steps.ts'

/** What the texts that one search looks at without the index may add up to. */
const MAX_LOOKED_CHARS = 2_000_000
/** What is not plain ASCII has to be split into words before anything can be said about it. */
const TOKENIZED_CHAR_COST = 8
/** Rows looked at to see how common something is; and how many of them make it common. */
const SAMPLE_ROWS = 250
const COMMON_IN_SAMPLE = 5

export interface Look {
  readonly plan: MatchPlan
  readonly range: KeyRange
  /** What narrows the rows down, as FTS5 writes it. */
  readonly match: string | null
  /** Whether to give up, and leave it to the index, once it is clear that the rest is found there sooner. */
  readonly mayGiveUp: boolean
}

/** Finds matches by looking at rows, through the tokenizer that the index is made with. Only what the caller sees is looked at, and counts. */
export function prepareLooking(db: DatabaseSync, { lookedRows }: ListBounds, checkpoint: () => void) {
  const prepare = prepareOnce(db)

  function textsIn(lanes: string, { low, high }: KeyRange, match: string | null, direction: string) {
    const texts =
      match === null
        ? prepare(
            `SELECT row, title, description FROM issues
             WHERE row > ? AND row < ? AND +lane IN (${lanes}) ORDER BY row ${direction}`,
          )
        : prepare(
            `SELECT i.row, i.title, i.description
             FROM (SELECT rowid AS n FROM search WHERE search MATCH ? AND rowid > ? AND rowid < ?
                   ORDER BY rowid ${direction} LIMIT ${lookedRows}) f
             CROSS JOIN issues i ON i.row = f.n WHERE +i.lane IN (${lanes})`,
          )
    const bounds = [BigInt(low), BigInt(high)]
    return texts.iterate(
      ...(match === null ? bounds : [match, ...bounds]),
    ) as Iterable<unknown> as Iterable<TextRow>
  }

  return {
    /** `undefined`: it has given up. */
    find({ plan, range, match, mayGiveUp }: Look): Found | undefined {
      const { selection, direction, examined } = plan
      const isMatch = matcherOf(selection.search ?? [])
      const lanes = codesOf(selection)
      const rows: number[] = []
      let looked = 0
      let room = MAX_LOOKED_CHARS
      // FTS5 goes straight to the rows that have a word; what is hidden among all rows is gone through step by step.
      const steps = match === null ? stepsThrough(range, direction) : [wholeOf(range)]
      for (const step of steps) {
        for (const text of textsIn(lanes, step.range, match, direction)) {
          if (isMatch(text)) rows.push(text.row)
          if (rows.length === examined) return { rows, stoppedAt: null }
          looked++
          room -= costOf(text)
          if (mayGiveUp && looked === SAMPLE_ROWS && rows.length < COMMON_IN_SAMPLE) return undefined
          if (looked === lookedRows || room <= 0) return mayGiveUp ? undefined : { rows, stoppedAt: text.row }
        }
        checkpoint()
      }
      return { rows, stoppedAt: null }
    },
  }
}

function wholeOf(range: KeyRange): Step {
  return { range }
}

interface TextRow {
  readonly row: number
  readonly title: string
  readonly description: string | null
}

function matcherOf(terms: readonly SearchTerm[]): (text: TextRow) => boolean {
  const matches = createMatcher(terms)
  return ({ title, description }) => matches(title, description)
}

function costOf({ title, description }: TextRow): number {
  const text = description === null ? title : title + description
  return text.length * (isPlainText(text) ? 1 : TOKENIZED_CHAR_COST)
}

function codesOf({ lanes }: IssueSelection): string {
  return lanes.map((lane) => LANE_CODES[lane]).join(', ')
}
