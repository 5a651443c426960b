import { DatabaseSync } from 'node:sqlite'
import { afterEach, expect, it, vi } from 'vitest'
import { keepIndexing } from './keep-indexing.ts'
import type { Writer } from './writer.ts'

afterEach(() => {
  vi.useRealTimers()
})

it('does not end the process when the database is damaged, and retries', () => {
  vi.useFakeTimers()
  using db = new DatabaseSync(':memory:')
  let tries = 0
  const writer: Pick<Writer, 'indexSome' | 'unindexed'> = {
    indexSome() {
      tries++
      // Fails like a statement, not like a full disk.
      db.exec('SELECT * FROM gone')
      return false
    },
    unindexed: () => 1,
  }
  const indexing = keepIndexing(writer as Writer)
  expect(() => vi.advanceTimersByTime(1_200)).not.toThrow()
  expect(tries).toBe(2)
  indexing.stop()
})
