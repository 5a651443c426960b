import { isTransient } from './faults.ts'
import { INDEX_STEP_ROWS } from './search-index.ts'
import type { Writer } from './writer.ts'

/** How long a new issue may wait for the full-text index. Searches find it meanwhile, by looking at it. */
const INDEX_INTERVAL_MS = 500
/** Indexing makes way for submissions after this long. */
const INDEX_TURN_MS = 50

/** Catches up with new issues. */
export interface Indexing {
  /** Called after each commit: keeps what searches have to look at within bounds, however fast issues arrive. */
  keepUp(): void
  stop(): void
}

export function keepIndexing(writer: Writer): Indexing {
  /** Brings the index a step further. Where there is no room for it, what is not in it is found all the same. */
  function indexSome(): boolean {
    try {
      return writer.indexSome()
    } catch (error) {
      if (!isTransient(error)) throw error
      return false
    }
  }

  const timer = setInterval(() => {
    const began = performance.now()
    while (performance.now() - began < INDEX_TURN_MS && indexSome());
  }, INDEX_INTERVAL_MS)
  // It never keeps a process alive that has nothing else to do.
  timer.unref()
  return {
    keepUp() {
      if (writer.unindexed() >= INDEX_STEP_ROWS) indexSome()
    },
    stop: () => clearInterval(timer),
  }
}
