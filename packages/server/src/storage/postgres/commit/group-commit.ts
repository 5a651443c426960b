import type { ProjectId } from '../../../model/ids.ts'
import type { GroupCall } from '../../issues/group-writes.ts'
import { takeBatch } from '../../issues/take-batch.ts'
import { type CommitObserver, StorageUnavailable } from '../../storage.ts'
import type { CommitBatch, WriteResult } from './commit-batch.ts'

/** Calls waiting or under way; beyond that the answer is "try later", never a longer queue. */
const MAX_PENDING_CALLS = 8_192
/** One for each connection that writes. */
const MAX_BATCHES_UNDER_WAY = 4

interface Pending {
  readonly call: GroupCall
  readonly resolve: (value: never) => void
  readonly reject: (error: Error) => void
}

/** The way to a project: what waits for it is committed together, and settles after that commit. */
export interface GroupCommit {
  run(projectId: ProjectId, ...call: GroupCall): Promise<unknown>
  /** Calls waiting or under way. */
  countPending(): number
  /** Commits what was accepted, then refuses the rest. */
  close(): Promise<void>
}

/** One project to a transaction: nodes can not deadlock, and a shard is not left. */
export function createGroupCommit(commit: CommitBatch, onCommit?: CommitObserver): GroupCommit {
  const waiting = new Map<ProjectId, Pending[]>()
  const underWay = new Set<ProjectId>()
  let pendingCalls = 0
  let isClosed = false
  let isScheduled = false
  let onIdle: (() => void) | undefined

  function flush(): void {
    isScheduled = false
    // A project that was served goes to the end of the map, so that a busy one can not crowd out the others.
    for (const [projectId, queue] of waiting) {
      if (underWay.size >= MAX_BATCHES_UNDER_WAY) return
      if (underWay.has(projectId)) continue
      waiting.delete(projectId)
      const batch = takeBatch(queue)
      if (queue.length > 0) waiting.set(projectId, queue)
      underWay.add(projectId)
      void settle(projectId, batch)
    }
  }

  async function settle(projectId: ProjectId, batch: readonly Pending[]): Promise<void> {
    const sentAt = performance.now()
    const results = await commit(
      projectId,
      batch.map(({ call }) => call),
    )
    onCommit?.(batch.length, (performance.now() - sentAt) / 1_000)
    underWay.delete(projectId)
    pendingCalls -= batch.length
    for (const [index, pending] of batch.entries()) settleOne(pending, results[index])
    flush()
    if (pendingCalls === 0) onIdle?.()
  }

  return {
    countPending: () => pendingCalls,
    run(projectId, ...call) {
      return new Promise((resolve, reject) => {
        if (isClosed) return reject(new StorageUnavailable('The storage is closed.'))
        if (pendingCalls >= MAX_PENDING_CALLS)
          return reject(new StorageUnavailable('The write queue is full.'))
        pendingCalls++
        const queue = waiting.get(projectId) ?? []
        waiting.set(projectId, queue)
        queue.push({ call, resolve, reject })
        if (isScheduled) return
        isScheduled = true
        // After the sockets that are readable now were read: their calls share the commit.
        setImmediate(flush)
      })
    },
    async close() {
      isClosed = true
      if (pendingCalls > 0) await new Promise<void>((resolve) => (onIdle = resolve))
    },
  }
}

function settleOne({ resolve, reject }: Pending, result: WriteResult | undefined): void {
  if (result === undefined) reject(new Error('The commit left a call unanswered.'))
  else if ('value' in result) resolve(result.value as never)
  else reject(result.error)
}
