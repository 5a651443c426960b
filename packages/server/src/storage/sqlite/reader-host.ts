import type { DatabaseSync } from 'node:sqlite'
import { StorageUnavailable } from '../storage.ts'
import { type ReadCall, type Reads, readWith } from './reader.ts'
import { startThread } from './start-thread.ts'

/** Reads waiting or under way; beyond that the answer is "try later", never a longer queue. */
const MAX_PENDING_READS = 1_024

export interface ReaderHost extends Reads {
  close(): Promise<void>
}

interface Pending {
  readonly resolve: (value: never) => void
  readonly reject: (error: Error) => void
}

/** Runs long reads in a thread of their own, so that the event loop never waits for one. */
export function readInThread(path: string, onCrash: (error: Error) => void): ReaderHost {
  const worker = startThread('reader-thread', path)
  const exit = new Promise((resolve) => worker.once('exit', resolve))
  const pending = new Map<number, Pending>()
  let lastId = 0
  worker.on('message', ([id, result]: [number, { value: never } | { fault: string }]) => {
    const { resolve, reject } = pending.get(id) ?? {}
    pending.delete(id)
    if ('value' in result) resolve?.(result.value)
    else reject?.(new Error('A read failed.', { cause: result.fault }))
  })
  worker.on('error', (error: Error) => {
    for (const { reject } of pending.values())
      reject(new StorageUnavailable('The reader has stopped.', { cause: error }))
    pending.clear()
    onCrash(error)
  })
  return {
    run(...call) {
      return new Promise((resolve, reject) => {
        if (pending.size >= MAX_PENDING_READS)
          return reject(new StorageUnavailable('Too many reads are waiting.'))
        pending.set(++lastId, { resolve, reject })
        worker.postMessage([lastId, call])
      })
    },
    async close() {
      worker.postMessage(null)
      await exit
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
