import { availableParallelism } from 'node:os'
import type { DatabaseSync } from 'node:sqlite'
import { StorageUnavailable } from '../storage.ts'
import { type ReadCall, type Reads, readWith } from './reader.ts'
import { type ReaderWorker, startReader } from './reader-worker.ts'

/** Reads waiting or under way; beyond that the answer is "try later", never a longer queue. */
export const MAX_PENDING_READS = 1_024
/** More would only take the processor from each other. */
const MAX_THREADS = Math.min(4, availableParallelism())
/** If others have waited for a read that took so long, another thread is worth its memory. Short reads are better off in one. */
const LONG_READ_MS = 10

export interface ReaderHost extends Reads {
  close(): Promise<void>
}

/** Runs long reads in threads of their own, so that the event loop never waits for one: in one, or in several once reads wait for each other. */
export function readInThreads(path: string, onCrash: (error: Error) => void): ReaderHost {
  const first = startReader(path, { onCrash, onWait: growAfter })
  const workers = [first]
  let mayGrow = true

  /** What is asked before another thread is ready goes to those that are. */
  function growAfter(tookMs: number): void {
    if (!mayGrow || tookMs < LONG_READ_MS || workers.length === MAX_THREADS) return
    if (workers.every(({ isReady }) => isReady)) workers.push(startAnother())
  }

  /** One that does not even start is done without: the others work. */
  function startAnother(): ReaderWorker {
    const worker = startReader(path, {
      onWait: growAfter,
      onCrash(error) {
        if (worker.isReady) return onCrash(error)
        mayGrow = false
        workers.splice(workers.indexOf(worker), 1)
      },
    })
    return worker
  }

  return {
    async run(...call) {
      const waiting = workers.reduce((sum, { pending }) => sum + pending, 0)
      if (waiting >= MAX_PENDING_READS) throw new StorageUnavailable('Too many reads are waiting.')
      const idlest = workers
        .filter(({ isReady }) => isReady)
        .reduce((best, worker) => (worker.pending < best.pending ? worker : best), first)
      return (await idlest.run(call as ReadCall)) as never
    },
    async close() {
      mayGrow = false
      await Promise.all(workers.map((worker) => worker.close()))
    },
  }
}

/** Runs reads right here: for a database in memory, and for commands that do one thing and end. */
export function readInline(db: DatabaseSync): ReaderHost {
  const read = readWith(db)
  return {
    run: async (...call) => read(call as ReadCall) as never,
    close: async () => {},
  }
}
