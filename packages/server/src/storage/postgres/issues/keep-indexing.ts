import { type Database, prepared } from '../driver/connection.ts'

/** The number of writes before a merge: with a higher number each write costs less, but every search has to read more. */
const STEP_WRITES = 2_000
/** With fewer writes, the merge happens after this time. */
const MAX_WAIT_MS = 10_000

const MERGE = prepared('merge_search_index', "SELECT gin_clean_pending_list('search_by_token')")

/** Merges new entries into the full-text index. Until then, searches scan them. */
export interface Indexing {
  /** Called after each commit. */
  keepUp(writes: number): void
  /** Merges what would otherwise slow down searches until the next write. */
  stop(): Promise<void>
}

/** Leaves it to autovacuum. */
export const NO_INDEXING: Indexing = { keepUp() {}, async stop() {} }

/** Otherwise PostgreSQL would merge in the middle of a write that others wait for. */
export function keepIndexing(database: Database): Indexing {
  let writes = 0
  let timer: NodeJS.Timeout | undefined
  let underWay: Promise<unknown> | undefined

  function merge(): void {
    clearTimeout(timer)
    timer = undefined
    writes = 0
    underWay = database
      .background((tx) => tx.run(MERGE()))
      // Nothing waits for it, and PostgreSQL does it itself when there is too much.
      .catch(() => {})
      .finally(() => {
        underWay = undefined
        plan()
      })
  }

  function plan(): void {
    if (underWay !== undefined || writes === 0) return
    if (writes >= STEP_WRITES) merge()
    else timer ??= setTimeout(merge, MAX_WAIT_MS).unref()
  }

  return {
    keepUp(more) {
      writes += more
      plan()
    },
    async stop() {
      await underWay
      if (writes > 0) merge()
      await underWay
    },
  }
}
