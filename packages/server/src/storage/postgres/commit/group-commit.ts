import type { ProjectId } from '../../../model/ids.ts'
import type { GroupCall } from '../../issues/group-writes.ts'
import { rejectWhenRevoked } from '../../issues/queue/revocation.ts'
import { takeBatch } from '../../issues/queue/take-batch.ts'
import type { Revocation } from '../../ports/issues.ts'
import { type CommitObserver, StorageUnavailable } from '../../storage.ts'
import type { CommitBatch, WriteResult } from './commit-batch.ts'

/** Calls waiting or in progress; beyond that, calls are refused. */
const MAX_PENDING_CALLS = 8_192
/** One for each writing connection. */
const MAX_BATCHES_UNDER_WAY = 4

/** How long calls wait for a project that is locked by another transaction. */
const MAX_LOCKED_MS = 5_000

interface Pending {
  readonly call: GroupCall
  readonly revocation: Revocation | undefined
  /** The time of the first attempt. */
  triedAt?: number
  readonly resolve: (value: never) => void
  readonly reject: (error: Error) => void
}

/** Queues calls by project. Calls waiting for the same project are committed together and settle after that commit. */
export interface GroupCommit {
  run(projectId: ProjectId, ...call: GroupCall): Promise<unknown>
  /** The same, for a call that can be given up. */
  runRevocably(
    group: { readonly projectId: ProjectId; readonly revocation: Revocation | undefined },
    ...call: GroupCall
  ): Promise<unknown>
  /** Calls waiting or in progress. */
  countPending(): number
  /** Commits the calls accepted so far, and refuses new ones. */
  close(): Promise<void>
}

/** Each transaction covers one project, so nodes cannot deadlock and no transaction spans shards. */
export function createGroupCommit(commit: CommitBatch, onCommit?: CommitObserver): GroupCommit {
  const waiting = new Map<ProjectId, Pending[]>()
  const underWay = new Set<ProjectId>()
  let pendingCalls = 0
  let isClosed = false
  let isScheduled = false
  let onIdle: (() => void) | undefined

  function flush(): void {
    isScheduled = false
    // A project that was just served moves to the end of the map, so that a busy project cannot starve the others.
    for (const [projectId, queue] of waiting) {
      if (underWay.size >= MAX_BATCHES_UNDER_WAY) return
      if (underWay.has(projectId)) continue
      waiting.delete(projectId)
      const batch = takeBatch(queue)
      for (const { revocation } of batch) revocation?.keep()
      if (queue.length > 0) waiting.set(projectId, queue)
      underWay.add(projectId)
      void settle(projectId, batch)
    }
  }

  async function settle(projectId: ProjectId, batch: readonly Pending[]): Promise<void> {
    const sentAt = performance.now()
    for (const pending of batch) pending.triedAt ??= sentAt
    try {
      const results = await commit(
        projectId,
        batch.map(({ call }) => call),
      )
      onCommit?.(batch.length, (performance.now() - sentAt) / 1_000)
      pendingCalls -= batch.length
      for (const [index, pending] of batch.entries()) settleOne(pending, results[index])
    } catch (error) {
      putBack(projectId, batch, error as Error)
    }
    underWay.delete(projectId)
    flush()
    if (pendingCalls === 0) onIdle?.()
  }

  /** Called if the project is locked: its calls are queued again, behind other projects, unless they have timed out. */
  function putBack(projectId: ProjectId, batch: readonly Pending[], fault: Error): void {
    const isExpired = ({ triedAt = 0 }: Pending) => performance.now() - triedAt >= MAX_LOCKED_MS
    const expired = batch.filter(isExpired)
    const queue = [
      ...batch.filter((pending) => !expired.includes(pending)),
      ...(waiting.get(projectId) ?? []),
    ]
    waiting.delete(projectId)
    if (queue.length > 0) waiting.set(projectId, queue)
    pendingCalls -= expired.length
    for (const { reject } of expired) reject(fault)
  }

  function wait(projectId: ProjectId, call: GroupCall, revocation?: Revocation): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (isClosed) return reject(new StorageUnavailable('The storage is closed.'))
      if (pendingCalls >= MAX_PENDING_CALLS) return reject(new StorageUnavailable('The write queue is full.'))
      if (revocation?.signal.aborted) return reject(revocation.signal.reason as Error)
      pendingCalls++
      const pending = { call, revocation, resolve, reject }
      const queue = waiting.get(projectId) ?? []
      waiting.set(projectId, queue)
      queue.push(pending)
      rejectWhenRevoked(pending, () => remove(projectId, pending))
      if (isScheduled) return
      isScheduled = true
      // Runs after all currently readable sockets have been read, so that their calls share the commit.
      setImmediate(flush)
    })
  }

  function remove(projectId: ProjectId, pending: Pending): boolean {
    const queue = waiting.get(projectId) ?? []
    const index = queue.indexOf(pending)
    if (index === -1) return false
    queue.splice(index, 1)
    if (queue.length === 0) waiting.delete(projectId)
    pendingCalls--
    if (pendingCalls === 0) onIdle?.()
    return true
  }

  return {
    countPending: () => pendingCalls,
    run: (projectId, ...call) => wait(projectId, call),
    runRevocably: ({ projectId, revocation }, ...call) => wait(projectId, call, revocation),
    async close() {
      isClosed = true
      if (pendingCalls > 0) await new Promise<void>((resolve) => (onIdle = resolve))
    },
  }
}

function settleOne({ resolve, reject }: Pending, result: WriteResult | undefined): void {
  if (result === undefined) reject(new Error('The commit returned no result for a call.'))
  else if ('value' in result) resolve(result.value as never)
  else reject(result.error)
}
