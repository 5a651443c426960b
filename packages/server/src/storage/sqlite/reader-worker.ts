import type { ListBounds } from '../../model/issue-lists.ts'
import { StorageUnavailable } from '../storage.ts'
import type { ReadCall } from './reader.ts'
import { startThread } from './start-thread.ts'

/** A reader in a thread of its own. It runs one call at a time. */
export interface ReaderWorker {
  /** False until its thread has begun; a call waits for that. */
  readonly isReady: boolean
  readonly isBusy: boolean
  run(call: ReadCall): Promise<Read>
  /** Stops the call that is under way at its next step. */
  cancel(): void
  close(): Promise<void>
}

/** A value, and how long it took. */
export interface Read {
  readonly value: unknown
  readonly tookMs: number
}

/** What the thread says: `null` once, when it is ready, then a result for each call. */
export type ReaderMessage = readonly [result: ReadResult, tookMs: number] | null
type ReadResult = { readonly value: unknown } | { readonly fault: string }

/** What the thread is given besides the database: a place in which the number of a call means that nobody waits for it. */
export type Cancelled = Int32Array<SharedArrayBuffer>

export function startReader(
  path: string,
  bounds: ListBounds,
  { onReady, onCrash }: { readonly onReady: () => void; readonly onCrash: (error: Error) => void },
): ReaderWorker {
  const cancelled: Cancelled = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const worker = startThread('reader-thread', path, { bounds, cancelled })
  const exit = new Promise((resolve) => worker.once('exit', resolve))
  let pending: PromiseWithResolvers<Read> | undefined
  let isReady = false
  let calls = 0

  worker.on('message', (message: ReaderMessage) => {
    if (message === null) {
      isReady = true
      onReady()
      return
    }
    const [result, tookMs] = message
    const settled = pending
    pending = undefined
    if ('value' in result) settled?.resolve({ value: result.value, tookMs })
    else settled?.reject(new Error('A read failed.', { cause: result.fault }))
  })
  worker.on('error', (error: Error) => {
    pending?.reject(new StorageUnavailable('The reader has stopped.', { cause: error }))
    pending = undefined
    onCrash(error)
  })
  return {
    get isReady() {
      return isReady
    },
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
