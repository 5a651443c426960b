import { createWriteQueue } from '../../issues/write-queue.ts'
import { type CommitObserver, StorageUnavailable } from '../../storage.ts'
import { SqliteReport } from '../driver/faults.ts'
import type { WriteCall, WriteResult, Writes } from './writer.ts'
import type { WriterHost } from './writer-host.ts'

/** Calls waiting or under way; beyond that the answer is "try later", never a longer queue. */
const MAX_PENDING_CALLS = 8_192
/** A second batch under way keeps the writer busy while the first one's answers travel. */
const MAX_BATCHES_UNDER_WAY = 2
/** So many calls are worth a commit to a writer that has nothing to do; while it has, more are. */
const WORTH_A_COMMIT = 32

interface Pending {
  readonly call: WriteCall
  readonly resolve: (value: never) => void
  readonly reject: (error: Error) => void
}

export interface GroupCommit extends Writes {
  /** Calls waiting or under way. */
  countPending(): number
  /** Fails everything that waits, and everything to come. */
  abort(error: Error): void
  /** Commits what was accepted, and refuses the rest. */
  drain(): Promise<void>
  /** The same, then lets go of the database. */
  close(): Promise<void>
}

/** Commits together what arrives together, and settles each call after the commit it was part of. */
export function createGroupCommit(host: WriterHost, onCommit?: CommitObserver): GroupCommit {
  const waiting = createWriteQueue<Pending>()
  const underWay = new Set<readonly Pending[]>()
  let pendingCalls = 0
  let refusal: Error | undefined
  let isScheduled = false
  let onIdle: (() => void) | undefined

  /** Whether what waits is sent at once, so that the writer and the event loop work side by side. */
  function isMuch(): boolean {
    return waiting.length >= WORTH_A_COMMIT * (underWay.size + 1)
  }

  function schedule(): void {
    if (isScheduled || waiting.length === 0) return
    isScheduled = true
    // After the sockets that are readable now were read: their calls share the commit.
    setImmediate(() => {
      isScheduled = false
      flush()
    })
  }

  function flush(): void {
    while (waiting.length > 0 && underWay.size < MAX_BATCHES_UNDER_WAY) {
      const batch = waiting.takeBatch()
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

  async function drain(): Promise<void> {
    refusal ??= new StorageUnavailable('The storage is closed.')
    if (pendingCalls > 0) await new Promise<void>((resolve) => (onIdle = resolve))
  }

  return {
    countPending: () => pendingCalls,
    run(name, ...args) {
      return new Promise((resolve, reject) => {
        if (refusal !== undefined) return reject(refusal)
        if (pendingCalls >= MAX_PENDING_CALLS)
          return reject(new StorageUnavailable('The write queue is full.'))
        pendingCalls++
        waiting.push({ call: [name, ...args], resolve, reject })
        // Not right here: a fault would be told to this caller alone, and the others would wait for ever.
        if (isMuch()) queueMicrotask(flush)
        else schedule()
      })
    },
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
  if (result === undefined) reject(new Error('The writer left a call unanswered.'))
  else if ('value' in result) resolve(result.value as never)
  else if (result.isTransient)
    reject(new StorageUnavailable('The database can not be written now.', { cause: result.fault }))
  else if (result.report !== null) reject(new SqliteReport(result.report, { cause: result.fault }))
  else reject(new Error('A write failed.', { cause: result.fault }))
}
