import { rejectWhenRevoked } from '../../issues/queue/revocation.ts'
import { createWriteQueue } from '../../issues/queue/write-queue.ts'
import type { Revocation } from '../../ports/issues.ts'
import { type CommitObserver, StorageUnavailable } from '../../storage.ts'
import { SqliteReport } from '../driver/faults.ts'
import type { WriteCall, WriteResult, Writes } from './writer.ts'
import type { WriterHost } from './writer-host.ts'

/** Calls waiting or in progress; beyond that, calls are refused. */
const MAX_PENDING_CALLS = 8_192
/** A second batch keeps the writer busy while the results of the first are being returned. */
const MAX_BATCHES_UNDER_WAY = 2
/** The number of calls that triggers a commit while the writer is idle. While it is busy, more are collected. */
const WORTH_A_COMMIT = 32

interface Pending {
  readonly call: WriteCall
  readonly revocation: Revocation | undefined
  readonly resolve: (value: never) => void
  readonly reject: (error: Error) => void
}

export interface GroupCommit extends Writes {
  /** Calls waiting or in progress. */
  countPending(): number
  /** Rejects all pending and all later calls. */
  abort(error: Error): void
  /** Commits the calls accepted so far, and refuses new ones. */
  drain(): Promise<void>
  /** Drains, then closes the database. */
  close(): Promise<void>
}

/** Commits calls that arrive together, and resolves each one after its commit. */
export function createGroupCommit(host: WriterHost, onCommit?: CommitObserver): GroupCommit {
  const waiting = createWriteQueue<Pending>()
  const underWay = new Set<readonly Pending[]>()
  let pendingCalls = 0
  let refusal: Error | undefined
  let isScheduled = false
  let onIdle: (() => void) | undefined

  /** Whether pending calls are sent immediately, so that the writer and the event loop work in parallel. */
  function isMuch(): boolean {
    return waiting.length >= WORTH_A_COMMIT * (underWay.size + 1)
  }

  function schedule(): void {
    if (isScheduled || waiting.length === 0) return
    isScheduled = true
    // Runs after all currently readable sockets have been read, so that their calls share the commit.
    setImmediate(() => {
      isScheduled = false
      flush()
    })
  }

  function flush(): void {
    while (waiting.length > 0 && underWay.size < MAX_BATCHES_UNDER_WAY) {
      const batch = waiting.takeBatch()
      for (const { revocation } of batch) revocation?.keep()
      const sentAt = performance.now()
      underWay.add(batch)
      host.commit(
        batch.map(({ call }) => call),
        (results) => {
          onCommit?.(batch.length, (performance.now() - sentAt) / 1_000)
          settle(batch, results)
        },
      )
    }
  }

  function settle(batch: readonly Pending[], results: readonly WriteResult[]): void {
    underWay.delete(batch)
    pendingCalls -= batch.length
    for (const [index, pending] of batch.entries()) settleOne(pending, results[index])
    if (isMuch()) flush()
    else schedule()
    if (pendingCalls === 0) onIdle?.()
  }

  function queue(call: WriteCall, revocation?: Revocation): Promise<never> {
    return new Promise((resolve, reject) => {
      if (refusal !== undefined) return reject(refusal)
      if (pendingCalls >= MAX_PENDING_CALLS) return reject(new StorageUnavailable('The write queue is full.'))
      if (revocation?.signal.aborted) return reject(revocation.signal.reason as Error)
      pendingCalls++
      const pending = { call, revocation, resolve, reject }
      waiting.push(pending)
      rejectWhenRevoked(pending, () => remove(pending))
      // Not called directly: an error would reach only this caller, and the others would wait forever.
      if (isMuch()) queueMicrotask(flush)
      else schedule()
    })
  }

  function remove(pending: Pending): boolean {
    if (!waiting.remove(pending)) return false
    pendingCalls--
    if (pendingCalls === 0) onIdle?.()
    return true
  }

  async function drain(): Promise<void> {
    refusal ??= new StorageUnavailable('The storage is closed.')
    if (pendingCalls > 0) await new Promise<void>((resolve) => (onIdle = resolve))
  }

  return {
    countPending: () => pendingCalls,
    run: (name, ...args) => queue([name, ...args]),
    runRevocably: (revocation, name, ...args) => queue([name, ...args], revocation),
    abort(error) {
      refusal = new StorageUnavailable('The database writer has stopped.', { cause: error })
      for (const pending of [...[...underWay].flat(), ...waiting.takeAll()]) pending.reject(refusal)
      underWay.clear()
      pendingCalls = 0
      onIdle?.()
    },
    drain,
    async close() {
      await drain()
      await host.close()
    },
  }
}

function settleOne({ resolve, reject }: Pending, result: WriteResult | undefined): void {
  if (result === undefined) reject(new Error('The writer returned no result for a call.'))
  else if ('value' in result) resolve(result.value as never)
  else if (result.external !== null) reject(new StorageUnavailable(result.external, { cause: result.fault }))
  else if (result.report !== null) reject(new SqliteReport(result.report, { cause: result.fault }))
  else reject(new Error('A write failed.', { cause: result.fault }))
}
