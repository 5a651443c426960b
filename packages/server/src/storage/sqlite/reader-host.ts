import { availableParallelism } from 'node:os'
import type { DatabaseSync } from 'node:sqlite'
import { LIST_BOUNDS, type ListBounds } from '../../model/issue-lists.ts'
import { ReadCancelled, StorageUnavailable } from '../storage.ts'
import { createReadQueue } from './read-queue.ts'
import { type ReadCall, type ReadOrder, type Reads, readWith } from './reader.ts'
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

interface Waiting extends PromiseWithResolvers<unknown> {
  readonly order: ReadOrder
  readonly call: ReadCall
}

/** Runs long reads in threads of their own, so that the event loop never waits for one: in one, or in several once reads wait for each other. */
export function readInThreads(
  path: string,
  onCrash: (error: Error) => void,
  bounds: ListBounds = LIST_BOUNDS,
): ReaderHost {
  const queue = createReadQueue<Waiting>()
  const workers = [startReader(path, bounds, { onReady: dispatch, onCrash })]
  let underWay = 0
  let mayGrow = true
  let onIdle: (() => void) | undefined

  function dispatch(): void {
    for (const worker of workers) {
      if (!worker.isReady || worker.isBusy) continue
      const read = queue.take()
      if (read === undefined) break
      void runIn(worker, read)
    }
    if (queue.size === 0 && underWay === 0) onIdle?.()
  }

  async function runIn(worker: ReaderWorker, { order: { signal }, call, resolve, reject }: Waiting) {
    const cancel = () => {
      worker.cancel()
      reject(new ReadCancelled())
    }
    underWay++
    signal?.addEventListener('abort', cancel)
    try {
      const { value, tookMs } = await worker.run(call)
      resolve(value)
      if (queue.size > 0) growAfter(tookMs)
    } catch (error) {
      reject(error)
    } finally {
      signal?.removeEventListener('abort', cancel)
      underWay--
      dispatch()
    }
  }

  /** What is asked before another thread is ready goes to those that are. */
  function growAfter(tookMs: number): void {
    if (!mayGrow || tookMs < LONG_READ_MS || workers.length === MAX_THREADS) return
    if (workers.every(({ isReady }) => isReady)) workers.push(startAnother())
  }

  /** One that does not even start is done without: the others work. */
  function startAnother(): ReaderWorker {
    const worker = startReader(path, bounds, {
      onReady: dispatch,
      onCrash(error) {
        if (worker.isReady) return onCrash(error)
        mayGrow = false
        workers.splice(workers.indexOf(worker), 1)
      },
    })
    return worker
  }

  /** Waits for its turn. Once nobody waits for the result any more, it is not begun. */
  function wait(order: ReadOrder, call: ReadCall): Promise<unknown> {
    const read = { order, call, ...Promise.withResolvers<unknown>() }
    queue.add(order.projectId, read)
    order.signal?.addEventListener('abort', () => {
      if (queue.remove(order.projectId, read)) read.reject(new ReadCancelled())
    })
    return read.promise
  }

  return {
    async run(order, ...call) {
      if (order.signal?.aborted) throw new ReadCancelled()
      const tooMany = () => new StorageUnavailable('Too many reads are waiting.')
      if (queue.size + underWay >= MAX_PENDING_READS) {
        const given = queue.yieldTo(order.projectId)
        if (given === undefined) throw tooMany()
        given.reject(tooMany())
      }
      const result = wait(order, call as ReadCall)
      dispatch()
      return (await result) as never
    },
    async close() {
      mayGrow = false
      if (queue.size + underWay > 0) await new Promise<void>((resolve) => (onIdle = resolve))
      await Promise.all(workers.map((worker) => worker.close()))
    },
  }
}

/** Runs reads right here: for a database in memory, and for commands that do one thing and end. */
export function readInline(db: DatabaseSync, bounds: ListBounds = LIST_BOUNDS): ReaderHost {
  const read = readWith(db, bounds)
  return {
    async run({ signal }, ...call) {
      if (signal?.aborted) throw new ReadCancelled()
      return read(call as ReadCall) as never
    },
    close: async () => {},
  }
}
