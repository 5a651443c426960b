import { MAX_COUNTED_VALUES, REST_VALUE } from '@bugle/contract/vocabulary'
import type { CounterKey } from './issue-tables.ts'
import { LANE_CODES } from './lane-codes.ts'

/** Strangers make these values up, so only so many are counted by name. */
const OPEN_DIMENSIONS = /^(?:platform|app_version|sdk:.*)$/
/** What the others are counted as. */
export const REST = REST_VALUE

/** Whether a value has to be known already to be counted by name, once its dimension is full. */
export function isOpenValue({ dimension, value }: CounterKey): boolean {
  return value !== REST && OPEN_DIMENSIONS.test(dimension)
}

export function isFull(countedValues: number): boolean {
  return countedValues >= MAX_COUNTED_VALUES
}

/** What a transaction has counted so far, added up. */
export interface Counts extends Iterable<readonly [key: CounterKey, by: number]> {
  add(key: CounterKey, by: number): void
  /** What was added under this key. */
  get(key: CounterKey): number
  clear(): void
}

export function createCounts(): Counts {
  // A map in a map in a map: to make a name of each key costs more than to look three times.
  const places = new Map<number, Map<string, Map<string, number>>>()
  return {
    add({ projectSeq, lane, dimension, value }, by) {
      const place = placeOf(projectSeq, lane)
      const dimensions = places.get(place) ?? setIn(places, place, new Map<string, Map<string, number>>())
      const values = dimensions.get(dimension) ?? setIn(dimensions, dimension, new Map<string, number>())
      values.set(value, (values.get(value) ?? 0) + by)
    },
    get: ({ projectSeq, lane, dimension, value }) =>
      places.get(placeOf(projectSeq, lane))?.get(dimension)?.get(value) ?? 0,
    clear: () => places.clear(),
    *[Symbol.iterator]() {
      for (const [place, dimensions] of places) {
        for (const [dimension, values] of dimensions) {
          for (const [value, by] of values) {
            if (by !== 0) yield [{ ...keyOf(place), dimension, value }, by] as const
          }
        }
      }
    },
  }
}

const LANES = Object.keys(LANE_CODES).length

function placeOf(projectSeq: number, lane: number): number {
  return projectSeq * LANES + lane
}

function keyOf(place: number): Pick<CounterKey, 'projectSeq' | 'lane'> {
  return { projectSeq: Math.floor(place / LANES), lane: place % LANES }
}

function setIn<K, V>(map: Map<K, V>, key: K, value: V): V {
  map.set(key, value)
  return value
}

export function counterName({ projectSeq, lane, dimension, value }: CounterKey): string {
  return `${projectSeq} ${lane} ${dimension} ${value}`
}
