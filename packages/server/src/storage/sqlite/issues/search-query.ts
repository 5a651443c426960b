import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { ListBounds, SearchTerm } from '../../../model/issue-lists.ts'
import type { Lane } from '../../../model/lanes.ts'
import type { KeyRange, MatchPlan } from '../../issues/lists/list-dialect.ts'
import { isIndexFault } from '../driver/faults.ts'
import { rowKey } from '../driver/row-keys.ts'
import { prepareOnce } from '../driver/statements.ts'
import { prepareLooking } from './scan-matches.ts'
import { prepareSearchCost } from './search-cost.ts'
import { SECURITY_TOKEN } from './search-index.ts'
import type { Found } from './search-steps.ts'

/** Pages up to this long are tried for without the index where it would have to merge words. */
const MAX_SCANNED_PAGE = 101
/** So many matches are read upwards to be listed downwards. */
const MAX_REVERSED = 2_048

/**
 * Finds what matches a search: from the index, and among the newest issues, which it does not have yet, by looking at
 * them. `checkpoint` is called between steps, and throws if nobody waits for the search any more.
 */
export function prepareSearch(db: DatabaseSync, bounds: ListBounds, checkpoint: () => void) {
  const prepare = prepareOnce(db)
  const looking = prepareLooking(db, bounds, checkpoint)
  const selectIndexed = db.prepare('SELECT indexed_number FROM projects WHERE seq = ?')
  // Prepared when they are needed: there may be no index, or a damaged one.
  let cost: ReturnType<typeof prepareSearchCost> | undefined

  function find(plan: MatchPlan): Found {
    const { seq, range, direction, examined } = plan
    const { indexed_number: indexed } = selectIndexed.get(seq) as { indexed_number: number }
    // Below zero, the index is damaged: nothing in it counts.
    const firstUnindexed = rowKey(seq, Math.max(0, indexed) + 1)
    const known = { low: range.low, high: Math.min(range.high, firstUnindexed) }
    const fresh = { low: Math.max(range.low, firstUnindexed - 1), high: range.high }
    const rows: number[] = []
    for (const part of direction === 'ASC' ? [known, fresh] : [fresh, known]) {
      if (part.high - part.low <= 1) continue
      const rest = { ...plan, examined: examined - rows.length }
      const found = part === known ? findIndexed(rest, part) : look(rest, part)
      rows.push(...found.rows)
      if (rows.length >= examined) break
      if (found.stoppedAt !== null) return { rows, stoppedAt: found.stoppedAt }
    }
    return { rows, stoppedAt: null }
  }

  /** Without the index, within bounds. */
  function look(plan: MatchPlan, range: KeyRange): Found {
    return looking.find({ plan, range, match: null, mayGiveUp: false }) as Found
  }

  function findIndexed(plan: MatchPlan, range: KeyRange): Found {
    try {
      return findByIndex(plan, range)
    } catch (error) {
      if (!isIndexFault(error)) throw error
      return look(plan, range)
    }
  }

  /** What is common is found at once by looking at the first rows, whatever the index has to read. */
  function findByIndex(plan: MatchPlan, range: KeyRange): Found {
    const { selection, direction, examined } = plan
    const terms = selection.search ?? []
    cost ??= prepareSearchCost(db)
    if (cost.isCheap(terms)) {
      const isWorthLooking = hasBeginning(plan) && examined <= MAX_SCANNED_PAGE
      const found = isWorthLooking && looking.find({ plan, range, match: null, mayGiveUp: true })
      return found || match(toMatch(terms, selection.lanes), { range, direction, examined })
    }
    const rarest = cost.findRarest(terms)
    const narrowed = rarest === undefined ? null : toMatch([wordTerm(rarest)], selection.lanes)
    return looking.find({ plan, range, match: narrowed, mayGiveUp: false }) as Found
  }

  /** Upwards first, also for the newest matches, unless there are many: downwards, FTS5 takes three times as long. */
  function match(
    wanted: string,
    { range, direction, examined }: Omit<MatchPlan, 'seq' | 'selection'>,
  ): Found {
    const upwards = rowsOf(selectRows('ASC'), wanted, range, direction === 'ASC' ? examined : MAX_REVERSED)
    checkpoint()
    if (direction === 'ASC') return { rows: upwards, stoppedAt: null }
    const isAll = upwards.length < MAX_REVERSED
    const rows = isAll ? upwards.reverse() : rowsOf(selectRows('DESC'), wanted, range, examined)
    return { rows: rows.slice(0, examined), stoppedAt: null }
  }

  function selectRows(direction: 'ASC' | 'DESC'): StatementSync {
    const select = prepare(
      `SELECT rowid FROM search WHERE search MATCH ? AND rowid > ? AND rowid < ? ORDER BY rowid ${direction} LIMIT ?`,
    )
    select.setReturnArrays(true)
    return select
  }

  return { find }
}

function hasBeginning({ selection }: Pick<MatchPlan, 'selection'>): boolean {
  return selection.search?.some(({ isPrefix }) => isPrefix) === true
}

function wordTerm(token: string): SearchTerm {
  return { tokens: [token], isPrefix: false }
}

function rowsOf(select: StatementSync, match: string, { low, high }: KeyRange, limit: number): number[] {
  // As integers: FTS5 ignores a bound that is a float, and would go through all matches up to it.
  const found = select.all(match, BigInt(low), BigInt(high), limit) as unknown as readonly (readonly [
    number,
  ])[]
  return found.map(([row]) => row)
}

/** Terms as FTS5 writes them. Tokens hold no quotes, so nothing a person types can become an operator. */
function toMatch(terms: readonly SearchTerm[], lanes: readonly Lane[]): string {
  const all = terms
    .map(({ tokens, isPrefix }) => `"${tokens.join(' ')}"${isPrefix ? ' *' : ''}`)
    .join(' AND ')
  if (!lanes.includes('security')) return `(${all}) NOT "${SECURITY_TOKEN}"`
  return lanes.includes('open') ? all : `(${all}) AND "${SECURITY_TOKEN}"`
}
