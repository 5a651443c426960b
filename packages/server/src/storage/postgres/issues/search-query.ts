import type { IssueSelection, SearchTerm } from '../../../model/issue-lists.ts'
import type { Sql } from '../../issues/lists/issue-filters.ts'
import type { KeyRange, MatchPlan } from '../../issues/lists/list-dialect.ts'
import { blockOf, lexemePrefix } from './search-index.ts'

/**
 * The issues that match, in the order of their numbers. The index has no order and finds all matches of a query at once,
 * so it is asked block by block in the order of the list, until there are enough. `+ 0` keeps the conditions on the
 * number from the primary key, which PostgreSQL would otherwise use while it knows too little, to look at every issue.
 */
export function findMatches({ seq, selection, range, direction, examined }: MatchPlan): Sql {
  const queries = blocksOf(range, direction).map((block) => toTsquery(seq, selection, block))
  return {
    text: `SELECT m.n FROM unnest(CAST(string_to_array(?, chr(10)) AS tsquery[])) b (query) CROSS JOIN LATERAL (
        SELECT number AS n FROM search WHERE project = ? AND tokens @@ b.query
          AND number + 0 > ? AND number + 0 < ? ORDER BY number + 0 ${direction} LIMIT ?
      ) m LIMIT ?`,
    values: [queries.join('\n'), seq, range.low, range.high, examined, examined],
  }
}

/** The blocks of a range, in the order of the list. */
function blocksOf({ low, high }: KeyRange, direction: 'ASC' | 'DESC'): readonly number[] {
  const first = blockOf(low + 1)
  const blocks = Array.from(
    { length: Math.max(0, blockOf(high - 1) - first + 1) },
    (_, index) => first + index,
  )
  return direction === 'DESC' ? blocks.reverse() : blocks
}

function toTsquery(seq: number, { search, lanes }: IssueSelection, block: number): string {
  return lanes
    .map((lane) => {
      const prefix = lexemePrefix(seq, lane, block)
      return `(${(search ?? []).map((term) => toPhrase(prefix, term)).join(' & ')})`
    })
    .join(' | ')
}

/** Lexemes are quoted, so nothing a person types can become an operator. */
function toPhrase(prefix: string, { tokens, isPrefix }: SearchTerm): string {
  const lexemes = tokens.map((token) => quoteLexeme(prefix + token)).join(' <-> ')
  return `(${lexemes}${isPrefix ? ':*' : ''})`
}

/** A lexeme as PostgreSQL reads it. Tokens contain nothing to escape; if they ever did, it would stay text. */
function quoteLexeme(lexeme: string): string {
  return `'${lexeme.replace(/['\\]/g, '$&$&')}'`
}
