import { type Database, prepared } from '../driver/connection.ts'

/** Writes after which it is time: the more there are, the less each costs, and the more every search has to read. */
const STEP_WRITES = 2_000
/** Fewer writes wait for others so long. */
const MAX_WAIT_MS = 10_000

const MERGE = prepared('merge_search_index', "SELECT gin_clean_pending_list('search_by_token')")

/** Merges what is new into the full-text index. Searches find it meanwhile, by looking at it. */
export interface Indexing {
  /** Called after each commit. */
  keepUp(writes: number): void
  /** Leaves nothing behind that would slow down searches until somebody writes again. */
  stop(): Promise<void>
}

/** Without it PostgreSQL does the same, but in the middle of a write that others wait for. */
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
      // Nobody waits for it, and PostgreSQL does it by itself when there is too much.
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
