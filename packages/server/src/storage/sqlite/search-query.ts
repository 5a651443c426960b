import type { DatabaseSync } from 'node:sqlite'
import type { SearchTerm } from '../records/issue-lists.ts'
import type { Lane } from '../records/lanes.ts'
import type { Sql } from '../sql/issue-filters.ts'
import type { MatchPlan } from '../sql/list-dialect.ts'
import { rowKey } from './row-keys.ts'
import { findCommonMatches, matchesAmong } from './scan-matches.ts'
import { SECURITY_TOKEN } from './search-index.ts'

/** The newest issues stand for all of them. Asked of the index, so many are as cheap as the few that are looked at one by one. */
const INDEXED_SAMPLE_ROWS = 20_000

/** The rows that match, in the order of their keys: from the index, and among the newest by looking at them. */
export function findMatches(db: DatabaseSync, wanted: MatchPlan): Sql {
  const common = findCommonMatches(db, wanted)
  if (common !== undefined) return { text: FROM_LIST, values: [JSON.stringify(common)] }
  const { seq, selection, range, direction, examined } = wanted
  const firstUnindexed = rowKey(seq, indexedNumberOf(db, seq) + 1)
  const unindexed = { low: Math.max(range.low, firstUnindexed - 1), high: range.high }
  const fresh = Array.from(matchesAmong(db, { ...wanted, range: unindexed }))
  // As integers: FTS5 ignores a bound that is a float, and would go through all matches up to it.
  const [low, high] = [BigInt(range.low), BigInt(Math.min(range.high, firstUnindexed))]
  const match = toMatch(selection.search ?? [], selection.lanes)
  const indexed: Sql = {
    text: `SELECT rowid AS n FROM search WHERE search MATCH ? AND rowid > ? AND rowid < ?
      ORDER BY rowid ${direction} LIMIT ?`,
    values: [match, low, high, examined],
  }
  if (fresh.length === 0) return indexed
  return {
    text: `SELECT n FROM (SELECT n FROM (${indexed.text}) UNION ALL ${FROM_LIST}) ORDER BY n ${direction} LIMIT ?`,
    values: [...indexed.values, JSON.stringify(fresh), examined],
  }
}

/** About how many of the rows have all words of the phrases that are asked for: each of those has to be looked at to count the phrases. */
export function estimatePhraseRows(db: DatabaseSync, { seq, selection }: MatchPlan, rows: number): number {
  const phrases = (selection.search ?? []).filter(({ tokens, isPrefix }) => tokens.length > 1 && !isPrefix)
  if (phrases.length === 0) return 0
  const last = indexedNumberOf(db, seq)
  if (last === 0) return 0
  const words = phrases.flatMap(({ tokens }) => tokens.map((token) => ({ tokens: [token], isPrefix: false })))
  const first = Math.max(0, last - INDEXED_SAMPLE_ROWS)
  const found = db
    .prepare('SELECT count(*) AS count FROM search WHERE search MATCH ? AND rowid > ? AND rowid <= ?')
    .get(toMatch(words, selection.lanes), BigInt(rowKey(seq, first)), BigInt(rowKey(seq, last)))
  return ((found as { count: number }).count / (last - first)) * rows
}

const FROM_LIST = 'SELECT value AS n FROM json_each(?)'

function indexedNumberOf(db: DatabaseSync, seq: number): number {
  const row = db.prepare('SELECT indexed_number FROM projects WHERE seq = ?').get(seq)
  return (row as { indexed_number: number }).indexed_number
}

/** Terms as FTS5 writes them. Tokens hold no quotes, so nothing a person types can become an operator. */
function toMatch(terms: readonly SearchTerm[], lanes: readonly Lane[]): string {
  const all = terms
    .map(({ tokens, isPrefix }) => `"${tokens.join(' ')}"${isPrefix ? ' *' : ''}`)
    .join(' AND ')
  if (!lanes.includes('security')) return `(${all}) NOT "${SECURITY_TOKEN}"`
  return lanes.includes('open') ? all : `(${all}) AND "${SECURITY_TOKEN}"`
}
