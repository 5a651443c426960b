import type { CounterKey } from '../issue-tables.ts'
import { placeOf } from '../lane-codes.ts'
import { setIn } from './nested-maps.ts'

/** Cached values. When the cache is full it is cleared, because lookups are cheap. */
const MAX_REMEMBERED = 50_000

/** Values that this process has found or added. Adding to them again needs no check of the limit of their dimension. */
export interface KnownValues {
  has(key: CounterKey): boolean
  add(key: CounterKey): void
  delete(key: CounterKey): void
}

export function createKnownValues(): KnownValues {
  // Nested maps, as for the changes: faster than building a combined key.
  const places = new Map<number, Map<string, Set<string>>>()
  let remembered = 0
  const valuesOf = ({ projectSeq, lane, dimension }: CounterKey) =>
    places.get(placeOf(projectSeq, lane))?.get(dimension)
  return {
    has: (key) => valuesOf(key)?.has(key.value) === true,
    add(key) {
      if (remembered >= MAX_REMEMBERED) {
        places.clear()
        remembered = 0
      }
      const { projectSeq, lane, dimension, value } = key
      const place = placeOf(projectSeq, lane)
      const dimensions = places.get(place) ?? setIn(places, place, new Map<string, Set<string>>())
      const values = dimensions.get(dimension) ?? setIn(dimensions, dimension, new Set<string>())
      if (values.has(value)) return
      values.add(value)
      remembered++
    },
    delete(key) {
      if (valuesOf(key)?.delete(key.value)) remembered--
    },
  }
}
