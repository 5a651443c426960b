import { isTransient } from '../driver/faults.ts'
import { INDEX_STEP_ROWS } from '../issues/search-index.ts'
import type { Writer } from './writer.ts'

/** How long a new issue may wait for the full-text index. Until then, searches scan it. */
const INDEX_INTERVAL_MS = 500
/** Indexing pauses for submissions after this time, and for this time. */
const INDEX_TURN_MS = 20
const INDEX_PAUSE_MS = 20

/** Catches up with new issues. */
export interface Indexing {
  /** Called after each commit: limits the number of issues that searches have to scan, however fast issues arrive. */
  keepUp(): void
  stop(): void
}

export function keepIndexing(writer: Writer): Indexing {
  /** Indexes one step. If the disk is full, searches still find what is not indexed. */
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
    try {
      while (isBehind && performance.now() - began < INDEX_TURN_MS) isBehind = indexSome()
    } catch {
      // The database is damaged. The next call that uses it reports that; no caller is waiting here.
      isBehind = false
    }
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
