import { StorageUnavailable } from '../storage.ts'
import type { ReadCall } from './reader.ts'
import { startThread } from './start-thread.ts'

/** A reader in a thread of its own. */
export interface ReaderWorker {
  /** False until its thread has begun; calls wait for that. */
  readonly isReady: boolean
  /** Calls waiting or under way. */
  readonly pending: number
  run(call: ReadCall): Promise<unknown>
  close(): Promise<void>
}

export interface ReaderObserver {
  readonly onCrash: (error: Error) => void
  /** A call has taken so long that others have waited for. */
  readonly onWait: (tookMs: number) => void
}

interface Pending {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
}

/** What the thread says: `null` once, when it is ready, then numbered results. */
export type ReaderMessage = readonly [id: number, result: ReadResult, tookMs: number] | null
type ReadResult = { readonly value: unknown } | { readonly fault: string }

export function startReader(path: string, { onCrash, onWait }: ReaderObserver): ReaderWorker {
  const worker = startThread('reader-thread', path)
  const exit = new Promise((resolve) => worker.once('exit', resolve))
  const pending = new Map<number, Pending>()
  let isReady = false
  let lastId = 0

  function settle(id: number, result: ReadResult, tookMs: number): void {
    const { resolve, reject } = pending.get(id) ?? {}
    pending.delete(id)
    if ('value' in result) resolve?.(result.value)
    else reject?.(new Error('A read failed.', { cause: result.fault }))
    if (pending.size > 0) onWait(tookMs)
  }

  worker.on('message', (message: ReaderMessage) => {
    isReady = true
    if (message !== null) settle(...message)
  })
  worker.on('error', (error: Error) => {
    for (const { reject } of pending.values())
      reject(new StorageUnavailable('The reader has stopped.', { cause: error }))
    pending.clear()
    onCrash(error)
  })
  return {
    get isReady() {
      return isReady
    },
    get pending() {
      return pending.size
    },
    run(call) {
      return new Promise((resolve, reject) => {
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
