import type { DatabaseSync } from 'node:sqlite'
import { matchesSearch } from '../../domain/search/search-query.ts'
import { searchText } from '../../domain/search/tokens.ts'
import type { SearchTerm } from '../records/issue-lists.ts'
import type { Lane } from '../records/lanes.ts'
import type { Sql } from '../sql/issue-filters.ts'
import { LANE_CODES } from '../sql/issue-rows.ts'
import type { MatchPlan } from '../sql/list-plans.ts'
import { rowKey } from './row-keys.ts'
import { SECURITY_TOKEN } from './search-index.ts'

/** The rows that match, in the order of their keys: from the index, and among the newest by looking at them. */
export function findMatches(db: DatabaseSync, wanted: MatchPlan): Sql {
  const { seq, selection, range, direction, examined } = wanted
  const indexedNumber = indexedNumberOf(db, seq)
  const firstUnindexed = rowKey(seq, indexedNumber + 1)
  const fresh = freshMatches(db, wanted, Math.max(range.low, firstUnindexed - 1))
  const text = `SELECT row AS n FROM (
      SELECT * FROM (SELECT rowid AS row FROM search WHERE search MATCH ? AND rowid > ? AND rowid < ?
        ORDER BY rowid ${direction} LIMIT ?)
      UNION ALL SELECT value AS row FROM json_each(?)
    ) ORDER BY row ${direction} LIMIT ?`
  // As integers: FTS5 ignores a bound that is a float, and would go through all matches up to it.
  const [low, high] = [BigInt(range.low), BigInt(Math.min(range.high, firstUnindexed))]
  const match = toMatch(selection.search ?? [], selection.lanes)
  return { text, values: [match, low, high, examined, JSON.stringify(fresh), examined] }
}

function indexedNumberOf(db: DatabaseSync, seq: number): number {
  const row = db.prepare('SELECT indexed_number FROM projects WHERE seq = ?').get(seq)
  return (row as { indexed_number: number }).indexed_number
}

/** What the index has not caught up with is matched through the same tokenizer. */
function freshMatches(db: DatabaseSync, { selection, range }: MatchPlan, low: number): readonly number[] {
  const lanes = selection.lanes.map((lane) => LANE_CODES[lane]).join(', ')
  const rows = db
    .prepare(`SELECT row, title, description FROM issues WHERE row > ? AND row < ? AND +lane IN (${lanes})`)
    .iterate(low, range.high) as Iterable<unknown> as Iterable<FreshRow>
  const matches: number[] = []
  for (const { row, title, description } of rows) {
    if (matchesSearch(selection.search ?? [], searchText(title, description).split(' '))) matches.push(row)
  }
  return matches
}

interface FreshRow {
  readonly row: number
  readonly title: string
  readonly description: string | null
}

/** Terms as FTS5 writes them. Tokens hold no quotes, so nothing a person types can become an operator. */
function toMatch(terms: readonly SearchTerm[], lanes: readonly Lane[]): string {
  const all = terms
    .map(({ tokens, isPrefix }) => `"${tokens.join(' ')}"${isPrefix ? ' *' : ''}`)
    .join(' AND ')
  if (!lanes.includes('security')) return `(${all}) NOT "${SECURITY_TOKEN}"`
  return lanes.includes('open') ? all : `(${all}) AND "${SECURITY_TOKEN}"`
}
