import { isTransient } from '../driver/faults.ts'
import { INDEX_STEP_ROWS } from '../issues/search-index.ts'
import type { Writer } from './writer.ts'

/** How long a new issue may wait for the full-text index. Searches find it meanwhile, by looking at it. */
const INDEX_INTERVAL_MS = 500
/** Indexing makes way for submissions after this long, and for this long. */
const INDEX_TURN_MS = 20
const INDEX_PAUSE_MS = 20

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

  function takeTurn(): void {
    const began = performance.now()
    let isBehind = true
    while (isBehind && performance.now() - began < INDEX_TURN_MS) isBehind = indexSome()
    timer = wait(isBehind ? INDEX_PAUSE_MS : INDEX_INTERVAL_MS)
  }

  /** It never keeps a process alive that has nothing else to do. */
  function wait(milliseconds: number): NodeJS.Timeout {
    return setTimeout(takeTurn, milliseconds).unref()
  }

  let timer = wait(INDEX_INTERVAL_MS)
  return {
    keepUp() {
      if (writer.unindexed() >= INDEX_STEP_ROWS) indexSome()
    },
    stop: () => clearTimeout(timer),
  }
}
