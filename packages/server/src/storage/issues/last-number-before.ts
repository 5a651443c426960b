import { forBoth } from '../dialects.ts'
import { type Operation, one } from '../operations.ts'

const SELECT_NEXT_ISSUE = forBoth(
  ({ numberIn, isAfter, orderOf }) =>
    `SELECT ${numberIn('i.number')} AS number, i.created_at FROM issues i
     WHERE ${isAfter('i.number', '$1', '$2')} ORDER BY ${orderOf('i.number')} LIMIT 1`,
)

/** The number of the last issue that was created before a time. Numbers and times have the same order, so a binary search finds it. */
export function* lastNumberBefore(project: number, lastNumber: number, moment: number): Operation<number> {
  let [low, high] = [0, lastNumber]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const next = yield* one<{ number: number; created_at: number }>(SELECT_NEXT_ISSUE, project, middle)
    if (next === undefined || next.created_at >= moment) high = middle
    else low = next.number
  }
  return low
}
