import type { EventSelection } from '../records/events.ts'
import type { EventColumns } from './event-rows.ts'
import { highestLane } from './issue-rows.ts'

/** Events looked at in one go, whatever the filter lets through. */
const MAX_EXAMINED_EVENTS = 1_000

/** Which rows to read. Hidden events are skipped as if they were deleted: they use up nothing. */
export function planEventPart({ lanes, types, limit }: EventSelection): {
  readonly highestLane: number
  readonly examined: number
} {
  return {
    highestLane: highestLane(lanes),
    examined: types === null ? limit : MAX_EXAMINED_EVENTS,
  }
}

/** What of those rows, and one more that tells whether there is more, is shown. */
export function cutEventPart<R extends EventColumns>(
  rows: readonly R[],
  selection: EventSelection,
): { readonly shown: readonly R[]; readonly lastLooked: R | undefined; readonly hasMore: boolean } {
  const { types, limit } = selection
  const { examined } = planEventPart(selection)
  const looked = rows.slice(0, examined)
  const matching = looked.filter(({ type }) => types === null || types.includes(type))
  const shown = matching.slice(0, limit)
  const isCut = shown.length < matching.length
  return {
    shown,
    lastLooked: isCut ? shown.at(-1) : looked.at(-1),
    hasMore: isCut || rows.length > examined,
  }
}
