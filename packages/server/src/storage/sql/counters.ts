import { MAX_COUNTED_VALUES } from '@bugle/contract/vocabulary'
import type { CounterKey } from './issue-tables.ts'

/** Strangers make these values up, so only so many are counted by name. */
const OPEN_DIMENSIONS = /^(?:platform|app_version|sdk:.*)$/
/** What the others are counted as. */
export const REST = 'other'

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
  clear(): void
}

export function createCounts(): Counts {
  const counts = new Map<string, { readonly key: CounterKey; by: number }>()
  return {
    add(key, by) {
      const name = counterName(key)
      const counted = counts.get(name)
      if (counted === undefined) counts.set(name, { key, by })
      else counted.by += by
    },
    clear: () => counts.clear(),
    *[Symbol.iterator]() {
      for (const { key, by } of counts.values()) if (by !== 0) yield [key, by] as const
    },
  }
}

export function counterName({ projectSeq, lane, dimension, value }: CounterKey): string {
  return `${projectSeq} ${lane} ${dimension} ${value}`
}
