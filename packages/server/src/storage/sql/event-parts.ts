import type { EventType } from '@bugle/contract/vocabulary'
import type { EventSelection } from '../../model/events.ts'

/** Events examined in one go, whatever the filter lets through. */
const MAX_EXAMINED_EVENTS = 1_000

/** How a database reads a project's log, as far as the reader may see it. */
export interface EventReads<R> {
  /** The next events of some types, or of all, after a position and up to another. */
  select(range: EventRange): Promise<readonly R[]>
  /** How many of the next `limit` events there are, whatever their type, and the position of the last one. */
  reach(after: number, limit: number): Promise<{ readonly count: number; readonly last: number | null }>
  positionOf(row: R): number
}

export interface EventRange {
  readonly after: number
  readonly upTo: number
  /** `null`: all. */
  readonly types: readonly EventType[] | null
  readonly limit: number
}

export interface RowPart<R> {
  readonly rows: readonly R[]
  readonly lastExamined: number
  readonly hasMore: boolean
}

/** Reads part of the log. Hidden events are skipped as if they were deleted: they use up nothing. */
export async function readEventPart<R>(reads: EventReads<R>, selection: EventSelection): Promise<RowPart<R>> {
  const { after, types, limit } = selection
  if (types === null) return takeNext(reads, { after, upTo: Number.MAX_SAFE_INTEGER, types, limit })
  const { count, last } = await reads.reach(after, MAX_EXAMINED_EVENTS)
  if (last === null) return { rows: [], lastExamined: after, hasMore: false }
  const part = await takeNext(reads, { after, upTo: last, types, limit })
  if (part.hasMore) return part
  const hasMore = count === MAX_EXAMINED_EVENTS && (await reads.reach(last, 1)).count > 0
  return { rows: part.rows, lastExamined: last, hasMore }
}

/** One row more than is wanted tells whether there is more. */
async function takeNext<R>(reads: EventReads<R>, range: EventRange): Promise<RowPart<R>> {
  const { after, limit } = range
  const found = await reads.select({ ...range, limit: limit + 1 })
  const rows = found.slice(0, limit)
  const last = rows.at(-1)
  return {
    rows,
    lastExamined: last === undefined ? after : reads.positionOf(last),
    hasMore: found.length > limit,
  }
}
