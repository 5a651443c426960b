import { MAX_COUNTED_VALUES, OTHER_VALUE } from '@bugle/contract/vocabulary'
import type { CounterKey } from '../issue-tables.ts'
import { laneAt, placeOf } from '../lane-codes.ts'
import { setIn } from './nested-maps.ts'

/** These values are untrusted input or, with the keys, many: only a limited number is counted by name. */
const OPEN_DIMENSIONS = /^(?:platform|os_version|device_model|refused_key|sdk:.*)$/

/** Whether, once its dimension is full, only known values are counted by name. */
export function isOpenValue({ dimension, value }: CounterKey): boolean {
  return value !== OTHER_VALUE && OPEN_DIMENSIONS.test(dimension)
}

export function isFull(countedValues: number): boolean {
  return countedValues >= MAX_COUNTED_VALUES
}

/** The changes to counters in a transaction so far, added up. */
export interface Counts extends Iterable<readonly [key: CounterKey, by: number]> {
  add(key: CounterKey, by: number): void
  clear(): void
}

export function createCounts(): Counts {
  // Nested maps: building a combined key costs more than three lookups.
  const places = new Map<number, Map<string, Map<string, number>>>()
  // Several counters in a row are of the same place.
  let last: { readonly place: number; readonly dimensions: Map<string, Map<string, number>> } | undefined

  function dimensionsOf(place: number): Map<string, Map<string, number>> {
    if (last?.place === place) return last.dimensions
    const dimensions = places.get(place) ?? setIn(places, place, new Map<string, Map<string, number>>())
    last = { place, dimensions }
    return dimensions
  }

  return {
    add({ projectSeq, lane, dimension, value }, by) {
      const dimensions = dimensionsOf(placeOf(projectSeq, lane))
      const values = dimensions.get(dimension) ?? setIn(dimensions, dimension, new Map<string, number>())
      values.set(value, (values.get(value) ?? 0) + by)
    },
    clear() {
      places.clear()
      last = undefined
    },
    *[Symbol.iterator]() {
      for (const [place, dimensions] of places) {
        const { projectSeq, lane } = laneAt(place)
        for (const [dimension, values] of dimensions) {
          for (const [value, by] of values) {
            if (by !== 0) yield [{ projectSeq, lane, dimension, value }, by] as const
          }
        }
      }
    },
  }
}

export function counterName({ projectSeq, lane, dimension, value }: CounterKey): string {
  return `${projectSeq} ${lane} ${dimension} ${value}`
}
