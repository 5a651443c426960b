import type { DatabaseSync } from 'node:sqlite'
import { LIST_BOUNDS, type ListBounds } from '../../../model/issue-lists.ts'
import { ReadCancelled, StorageUnavailable } from '../../storage.ts'
import { startThread } from '../threads/start-thread.ts'
import { createReadQueue } from './read-queue.ts'
import {
  type Cancelled,
  type ReadCall,
  type ReadRequest,
  type ReadResult,
  type Reads,
  readWith,
} from './reader.ts'

/** Reads waiting or in progress; beyond that, reads are refused. */
export const MAX_PENDING_READS = 1_024
/** With two threads, a long read does not block a short one. More would only compete for the CPU. */
const THREADS = 2

export interface ReadPool extends Reads {
  close(): Promise<void>
}

interface Waiting extends PromiseWithResolvers<unknown> {
  readonly request: ReadRequest
  readonly call: ReadCall
}

/**
 * Runs long reads in separate threads, so that the event loop never waits for one. The threads start with the first
 * read, so that a server without readers needs no memory for them.
 */
export function readInThreads(
  path: string,
  onCrash: (error: Error) => void,
  bounds: ListBounds = LIST_BOUNDS,
): ReadPool {
  const queue = createReadQueue<Waiting>()
  let threads: readonly ReaderThread[] = []
  let underWay = 0
  let onIdle: (() => void) | undefined

  function dispatch(): void {
    if (threads.length === 0)
      threads = Array.from({ length: THREADS }, () => startReader(path, bounds, onCrash))
    for (const thread of threads) {
      if (thread.isBusy) continue
      const read = queue.take()
      if (read === undefined) break
      void runIn(thread, read)
    }
    if (queue.size === 0 && underWay === 0) onIdle?.()
  }

  async function runIn(thread: ReaderThread, { request: { signal }, call, resolve, reject }: Waiting) {
    const cancel = () => {
      thread.cancel()
      reject(new ReadCancelled())
    }
    underWay++
    signal?.addEventListener('abort', cancel)
    try {
      resolve(await thread.run(call))
    } catch (error) {
      reject(error)
    } finally {
      signal?.removeEventListener('abort', cancel)
      underWay--
      dispatch()
    }
  }

  /** Queues a read. If the client disconnects before its turn, the read is not started. */
  function wait(request: ReadRequest, call: ReadCall): Promise<unknown> {
    const read = { request, call, ...Promise.withResolvers<unknown>() }
    queue.add(request.projectId, read)
    request.signal?.addEventListener('abort', () => {
      if (queue.remove(request.projectId, read)) read.reject(new ReadCancelled())
    })
    return read.promise
  }

  return {
    async run(request, ...call) {
      if (request.signal?.aborted) throw new ReadCancelled()
      const tooMany = () => new StorageUnavailable('Too many reads are waiting.')
      if (queue.size + underWay >= MAX_PENDING_READS) {
        const given = queue.yieldTo(request.projectId)
        if (given === undefined) throw tooMany()
        given.reject(tooMany())
      }
      const result = wait(request, call as ReadCall)
      dispatch()
      return (await result) as never
    },
    async close() {
      if (queue.size + underWay > 0) await new Promise<void>((resolve) => (onIdle = resolve))
      await Promise.all(threads.map((thread) => thread.close()))
    },
  }
}

/** A reader in its own thread. It runs one call at a time. */
interface ReaderThread {
  readonly isBusy: boolean
  run(call: ReadCall): Promise<unknown>
  /** Stops the current call at its next step. */
  cancel(): void
  close(): Promise<void>
}

function startReader(path: string, bounds: ListBounds, onCrash: (error: Error) => void): ReaderThread {
  const cancelled: Cancelled = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const worker = startThread('reader-thread', path, { bounds, cancelled })
  const exit = new Promise((resolve) => worker.once('exit', resolve))
  let pending: PromiseWithResolvers<unknown> | undefined
  let calls = 0

  worker.on('message', (result: ReadResult) => {
    const settled = pending
    pending = undefined
    if ('value' in result) settled?.resolve(result.value)
    else settled?.reject(new Error('A read failed.', { cause: result.fault }))
  })
  worker.on('error', (error: Error) => {
    pending?.reject(new StorageUnavailable('The reader has stopped.', { cause: error }))
    pending = undefined
    onCrash(error)
  })
  return {
    get isBusy() {
      return pending !== undefined
    },
    run(call) {
      pending = Promise.withResolvers()
      worker.postMessage([++calls, call])
      return pending.promise
    },
    cancel: () => void Atomics.store(cancelled, 0, calls),
    async close() {
      worker.postMessage(null)
      await exit
    },
  }
}

/** Runs reads in the current thread, for in-memory databases and for short-lived commands. */
export function readInline(db: DatabaseSync, bounds: ListBounds = LIST_BOUNDS): ReadPool {
  const read = readWith(db, bounds)
  return {
    async run({ signal }, ...call) {
      if (signal?.aborted) throw new ReadCancelled()
      return read(call as ReadCall) as never
    },
    close: async () => {},
  }
}
