import type { IssueSelection, SearchTerm } from '../records/issue-lists.ts'
import type { Sql } from '../sql/issue-filters.ts'
import type { MatchPlan } from '../sql/list-plans.ts'
import { placeOf, quoteLexeme } from './search-index.ts'

/** The issues that match, in the order of their numbers. */
export function findMatches({ seq, selection, range, direction, examined }: MatchPlan): Sql {
  return {
    text: `SELECT number AS n FROM search WHERE project = ? AND tokens @@ CAST(? AS tsquery)
      AND number > ? AND number < ? ORDER BY number ${direction} LIMIT ?`,
    values: [seq, toTsquery(seq, selection), range.low, range.high, examined],
  }
}

function toTsquery(seq: number, { search, lanes }: IssueSelection): string {
  const places = lanes.map((lane) => quoteLexeme(placeOf(seq, lane))).join(' | ')
  return [...(search ?? []).map(toPhrase), `(${places})`].join(' & ')
}

/** Tokens are quoted, so nothing a person types can become an operator. */
function toPhrase({ tokens, isPrefix }: SearchTerm): string {
  const lexemes = tokens.map(quoteLexeme).join(' <-> ')
  return `(${lexemes}${isPrefix ? ':*' : ''})`
}
