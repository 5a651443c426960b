import type { KeyRange } from '../../issues/lists/list-dialect.ts'

/** The first step is small: it is enough for common words. */
const FIRST_STEP_KEYS = 1_024
const STEP_GROWTH = 4
const MAX_STEP_KEYS = 65_536

export interface Step {
  readonly range: KeyRange
}

/** Parts of a range in the order of the list, small ones first. A search can be cancelled between them. */
export function* stepsThrough({ low, high }: KeyRange, direction: 'ASC' | 'DESC'): Iterable<Step> {
  let [from, size] = [direction === 'ASC' ? low : high, FIRST_STEP_KEYS]
  for (;;) {
    const range =
      direction === 'ASC'
        ? { low: from, high: Math.min(high, from + size + 1) }
        : { low: Math.max(low, from - size - 1), high: from }
    const isLast = direction === 'ASC' ? range.high === high : range.low === low
    from = direction === 'ASC' ? range.high - 1 : range.low + 1
    yield { range }
    if (isLast) return
    size = Math.min(MAX_STEP_KEYS, size * STEP_GROWTH)
  }
}
