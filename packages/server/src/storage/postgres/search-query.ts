import type { IssueSelection, SearchTerm } from '../../model/issue-lists.ts'
import type { Sql } from '../sql/issue-filters.ts'
import type { KeyRange, MatchPlan } from '../sql/list-dialect.ts'
import { blockLexeme, blockOf, quoteLexeme } from './search-index.ts'

/** Each step looks through so many times as many blocks as the one before, up to a bound. */
const STEP_GROWTH = 2
const MAX_STEP_BLOCKS = 64

/**
 * The issues that match, in the order of their numbers. The index has no order and finds all matches at once, so it is
 * asked step by step, the blocks at the beginning of the list first, until there are enough: a common word costs no
 * more the more issues there are. `+ 0` keeps the conditions on the number from the primary key, which PostgreSQL would
 * otherwise use while it knows too little, to look at every issue.
 */
export function findMatches({ seq, selection, range, direction, examined }: MatchPlan): Sql {
  const steps = stepsThrough(range, direction)
  if (steps.length === 0) return { text: 'SELECT 0 AS n WHERE FALSE', values: [] }
  const step = `(SELECT number AS n FROM search WHERE project = ? AND tokens @@ CAST(? AS tsquery)
    AND number + 0 > ? AND number + 0 < ? ORDER BY number + 0 ${direction} LIMIT ?)`
  return {
    text: `SELECT n FROM (${steps.map(() => step).join(' UNION ALL ')}) m LIMIT ?`,
    values: [
      ...steps.flatMap((blocks) => [
        ...[seq, toTsquery(seq, selection, blocks)],
        ...[range.low, range.high, examined],
      ]),
      examined,
    ],
  }
}

/** The blocks of a range in the order of the list, a few at first, then more at a time. */
function stepsThrough({ low, high }: KeyRange, direction: 'ASC' | 'DESC'): readonly (readonly number[])[] {
  const first = blockOf(low + 1)
  const blocks = Array.from({ length: blockOf(high - 1) - first + 1 }, (_, index) => first + index)
  if (direction === 'DESC') blocks.reverse()
  const steps: number[][] = []
  for (let size = 1; blocks.length > 0; size = Math.min(MAX_STEP_BLOCKS, size * STEP_GROWTH)) {
    steps.push(blocks.splice(0, size))
  }
  return steps
}

function toTsquery(seq: number, { search, lanes }: IssueSelection, blocks: readonly number[]): string {
  const places = blocks.flatMap((block) => lanes.map((lane) => quoteLexeme(blockLexeme(seq, lane, block))))
  return [...(search ?? []).map(toPhrase), `(${places.join(' | ')})`].join(' & ')
}

/** Tokens are quoted, so nothing a person types can become an operator. */
function toPhrase({ tokens, isPrefix }: SearchTerm): string {
  const lexemes = tokens.map(quoteLexeme).join(' <-> ')
  return `(${lexemes}${isPrefix ? ':*' : ''})`
}
