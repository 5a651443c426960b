import { placeOf } from '../counters.ts'
import { setIn } from '../nested-maps.ts'
import type { SeenChange } from './seen-changes.ts'

/** Cached values. When the cache is full it is cleared, because lookups are cheap. */
const MAX_REMEMBERED = 50_000

type SeenKey = Pick<SeenChange, 'projectSeq' | 'lane' | 'dimension' | 'value'>

/**
 * Values that this process has already added to. Adding to them again needs no check of the limit. If another process
 * has folded one in the meantime, it exists again, and the next new value folds one more.
 */
export interface KnownValues {
  has(key: SeenKey): boolean
  add(key: SeenKey): void
  delete(key: SeenKey): void
}

export function createKnownValues(): KnownValues {
  // Nested maps, as for the changes: faster than building a combined key.
  const places = new Map<number, Map<string, Set<string>>>()
  let remembered = 0
  const valuesOf = ({ projectSeq, lane, dimension }: SeenKey) =>
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
