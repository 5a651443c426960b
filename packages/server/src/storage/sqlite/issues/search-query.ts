import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { IssueSelection, ListBounds, SearchTerm } from '../../../model/issue-lists.ts'
import { SPAM_CODE } from '../../issues/lane-codes.ts'
import type { KeyRange, Matches, MatchPlan } from '../../issues/lists/list-dialect.ts'
import { isIndexFault } from '../driver/faults.ts'
import { rowKey } from '../driver/row-keys.ts'
import { prepareOnce } from '../driver/statements.ts'
import { prepareScan } from './scan-matches.ts'
import { prepareSearchCost } from './search-cost.ts'
import { inReports, SECURITY_TOKEN } from './search-index.ts'

/** Up to this many matches are read in ascending order and listed in descending order. */
const MAX_REVERSED = 2_048

/**
 * Finds the matches of a search: with the index, and by scanning the newest issues, which are not indexed
 * yet. `checkpoint` is called between steps, and throws if the client has disconnected.
 */
export function prepareSearch(db: DatabaseSync, bounds: ListBounds, checkpoint: () => void) {
  const prepare = prepareOnce(db)
  const scan = prepareScan(db, bounds, checkpoint)
  const selectIndexed = db.prepare('SELECT indexed_number FROM projects WHERE seq = ?')
  const selectSpam = db.prepare(
    'SELECT 1 FROM issues INDEXED BY issues_by_spam WHERE row >> 32 = ? AND spam_at IS NOT NULL LIMIT 1',
  )
  // Prepared when needed: the index may be missing or damaged.
  let cost: ReturnType<typeof prepareSearchCost> | undefined

  function find(plan: MatchPlan): Matches {
    const { seq, range, direction, examined, counted } = plan
    const { indexed_number: indexed } = selectIndexed.get(seq) as { indexed_number: number }
    // Below zero, the index is damaged and is not used.
    const firstUnindexed = rowKey(seq, Math.max(0, indexed) + 1)
    const known = { low: range.low, high: Math.min(range.high, firstUnindexed) }
    const fresh = { low: Math.max(range.low, firstUnindexed - 1), high: range.high }
    const rows: number[] = []
    for (const part of direction === 'ASC' ? [known, fresh] : [fresh, known]) {
      if (part.high - part.low <= 1) continue
      const remaining = counted - rows.length
      if (remaining <= 0) return { rows, stoppedAt: null, total: null }
      const rest = { ...plan, examined: Math.max(0, examined - rows.length), counted: remaining }
      const found = part === known ? findKnown(rest, part) : scanRange(rest, part)
      rows.push(...found.rows)
      if (found.total === null) return { ...found, rows }
    }
    return { rows, stoppedAt: null, total: rows.length }
  }

  /** Without the index, within bounds. */
  function scanRange(plan: MatchPlan, range: KeyRange): Matches {
    return scan.find({ plan, range, match: null })
  }

  /** From the index, and from issues whose report texts are not completely indexed. */
  function findKnown(plan: MatchPlan, range: KeyRange): Matches {
    const outdated = plan.selection.searchesReports ? scan.findOutdated(plan, range) : []
    const found = findIndexed(plan, range)
    if (outdated.length === 0) return found
    const { stoppedAt, total } = found
    const sign = plan.direction === 'ASC' ? 1 : -1
    const covered = outdated.filter((row) => stoppedAt === null || sign * (row - stoppedAt) <= 0)
    const rows = [...new Set([...found.rows, ...covered])].sort((one, other) => sign * (one - other))
    return { rows, stoppedAt, total: total === null ? null : rows.length }
  }

  function findIndexed(plan: MatchPlan, range: KeyRange): Matches {
    try {
      return findByIndex(plan, range)
    } catch (error) {
      if (!isIndexFault(error)) throw error
      return scanRange(plan, range)
    }
  }

  function findByIndex(plan: MatchPlan, range: KeyRange): Matches {
    const { selection } = plan
    const terms = selection.search ?? []
    cost ??= prepareSearchCost(db)
    if (cost.isCheap(terms, selection.searchesReports)) return match(toMatch(terms, selection), plan, range)
    const rarest = cost.findRarest(terms)
    const narrowed = rarest === undefined ? null : toMatch([wordTerm(rarest)], selection)
    return scan.find({ plan, range, match: narrowed })
  }

  /** In ascending order first, also for the newest matches, unless there are many: in descending order, FTS5 takes three times as long. */
  function match(
    wanted: string,
    { seq, selection, direction, examined, counted }: MatchPlan,
    range: KeyRange,
  ): Matches {
    const condition = spamCondition(seq, selection)
    const most = direction === 'ASC' ? counted : Math.max(counted, MAX_REVERSED)
    const upwards = rowsOf(selectRows('ASC', condition), wanted, range, most)
    checkpoint()
    const total = upwards.length < most ? upwards.length : null
    if (direction === 'ASC') return { rows: upwards, stoppedAt: null, total }
    if (total !== null) return { rows: upwards.reverse(), stoppedAt: null, total }
    const downwards = rowsOf(selectRows('DESC', condition), wanted, range, examined)
    return { rows: downwards, stoppedAt: null, total }
  }

  /** The index does not know what is spam. Most projects have none, so that no issue has to be looked up. */
  function spamCondition(seq: number, { isSpam }: IssueSelection): string {
    if (!isSpam && selectSpam.get(seq) === undefined) return ''
    return `AND (SELECT lane FROM issues WHERE row = search.rowid) ${isSpam ? '>=' : '<'} ${SPAM_CODE}`
  }

  function selectRows(direction: 'ASC' | 'DESC', condition: string): StatementSync {
    const select = prepare(
      `SELECT rowid FROM search WHERE search MATCH ? AND rowid > ? AND rowid < ? ${condition} ORDER BY rowid ${direction} LIMIT ?`,
    )
    select.setReturnArrays(true)
    return select
  }

  return { find }
}

function wordTerm(token: string): SearchTerm {
  return { tokens: [token], isPrefix: false }
}

function rowsOf(select: StatementSync, match: string, { low, high }: KeyRange, limit: number): number[] {
  // As integers: FTS5 ignores a floating-point bound, and would read all matches up to it.
  const found = select.all(match, BigInt(low), BigInt(high), limit) as unknown as readonly (readonly [
    number,
  ])[]
  return found.map(([row]) => row)
}

/** Terms in FTS5 syntax. Tokens contain no quotes, so no input can become an operator. */
function toMatch(terms: readonly SearchTerm[], { lanes, searchesReports }: IssueSelection): string {
  const all = terms
    .map((term) => (searchesReports ? `(${toPhrase(term)} OR ${toPhrase(inReports(term))})` : toPhrase(term)))
    .join(' AND ')
  if (!lanes.includes('security')) return `(${all}) NOT "${SECURITY_TOKEN}"`
  return lanes.includes('open') ? all : `(${all}) AND "${SECURITY_TOKEN}"`
}

function toPhrase({ tokens, isPrefix }: SearchTerm): string {
  return `"${tokens.join(' ')}"${isPrefix ? ' *' : ''}`
}
