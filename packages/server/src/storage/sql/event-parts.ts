import type { EventType } from '@bugle/contract/vocabulary'
import type { EventSelection } from '../../model/events.ts'
import { highestLane } from './issue-rows.ts'

/** Events examined in one go, whatever the filter lets through. */
const MAX_EXAMINED_EVENTS = 1_000

/** How a database reads a project's log, as far as the reader may see it. */
export interface EventReads<R extends ShownRow> {
  /** The next events of some types, or of all, after a position and up to another. */
  select(range: EventRange): Promise<readonly R[]>
  /** How many of the next `limit` events there are, whatever their type, and the position of the last one. */
  reach(after: number, limit: number): Promise<{ readonly count: number; readonly last: number | null }>
  positionOf(row: R): number
}

/** A row of the log. */
export interface ShownRow {
  /** The lane it is seen in; `null` if its issue is gone. */
  readonly shown_lane: number | null
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
export async function readEventPart<R extends ShownRow>(
  reads: EventReads<R>,
  selection: EventSelection,
): Promise<RowPart<R>> {
  const { after, types, limit } = selection
  const takeNext = (range: EventRange) => takeShown(reads, range, highestLane(selection.lanes))
  if (types === null) return takeNext({ after, upTo: Number.MAX_SAFE_INTEGER, types, limit })
  const { count, last } = await reads.reach(after, MAX_EXAMINED_EVENTS)
  if (last === null) return { rows: [], lastExamined: after, hasMore: false }
  const part = await takeNext({ after, upTo: last, types, limit })
  if (part.hasMore) return part
  const hasMore = count === MAX_EXAMINED_EVENTS && (await reads.reach(last, 1)).count > 0
  return { rows: part.rows, lastExamined: last, hasMore }
}

/** One row more than is wanted tells whether there is more. What is not shown is passed over, up to a number of rows. */
async function takeShown<R extends ShownRow>(
  reads: EventReads<R>,
  range: EventRange,
  lane: number,
): Promise<RowPart<R>> {
  const wanted = range.limit + 1
  const shown: R[] = []
  let lastExamined = range.after
  for (let examined = 0; examined < MAX_EXAMINED_EVENTS; ) {
    const limit = wanted - shown.length
    const found = await reads.select({ ...range, after: lastExamined, limit })
    shown.push(...found.filter((row) => row.shown_lane !== null && row.shown_lane <= lane))
    lastExamined = positionAfter(reads, found, lastExamined)
    if (shown.length === wanted) {
      const rows = shown.slice(0, -1)
      return { rows, lastExamined: positionAfter(reads, rows, range.after), hasMore: true }
    }
    if (found.length < limit) return { rows: shown, lastExamined, hasMore: false }
    examined += found.length
  }
  return { rows: shown, lastExamined, hasMore: true }
}

function positionAfter<R extends ShownRow>(reads: EventReads<R>, rows: readonly R[], before: number): number {
  const last = rows.at(-1)
  return last === undefined ? before : reads.positionOf(last)
}
