import { type Call, charsOf, isAlone, MAX_BATCH_CALLS, MAX_BATCH_CHARS, takeBatch } from './take-batch.ts'

/** Writes that wait for a commit. Projects take turns; within a project, first come, first served. */
export interface WriteQueue<P> {
  readonly length: number
  push(pending: P): void
  /** False if it was not waiting. */
  remove(pending: P): boolean
  /** Takes the calls to commit together. */
  takeBatch(): P[]
  /** Empties the queue. */
  takeAll(): P[]
}

export function createWriteQueue<P extends { readonly call: Call }>(): WriteQueue<P> {
  // By project, in the order of their turns.
  const queues = new Map<string, P[]>()
  let length = 0

  /**
   * A project whose next call does not fit waits with all that follows it, while others are still served: small
   * writes of other projects can overtake a long text or a bulk change, but writes of its own project cannot.
   */
  function takeTurns(): P[] {
    const batch: P[] = []
    let chars = 0
    let turns = Array.from(queues, ([project, queue]) => ({ project, queue, taken: 0 }))
    const served = new Set(turns)
    while (turns.length > 0 && batch.length < MAX_BATCH_CALLS) {
      turns = turns.filter((turn) => {
        const next = turn.queue[turn.taken]
        if (next === undefined || batch.length === MAX_BATCH_CALLS) return false
        if (batch.length > 0 && isAlone(next.call, batch[0]?.call)) return false
        const nextChars = charsOf(next.call)
        if (batch.length > 0 && nextChars > 0 && chars + nextChars > MAX_BATCH_CHARS) return false
        chars += nextChars
        turn.taken++
        batch.push(next)
        return true
      })
    }
    for (const { project, queue, taken } of served) {
      if (taken === 0) continue
      queue.splice(0, taken)
      queues.delete(project)
      if (queue.length > 0) queues.set(project, queue)
    }
    return batch
  }

  function takeOfOne(project: string, queue: P[]): P[] {
    const batch = takeBatch(queue)
    if (queue.length === 0) queues.delete(project)
    return batch
  }

  return {
    get length() {
      return length
    },
    push(pending) {
      const project = projectOf(pending.call)
      const queue = queues.get(project)
      if (queue === undefined) queues.set(project, [pending])
      else queue.push(pending)
      length++
    },
    remove(pending) {
      const project = projectOf(pending.call)
      const queue = queues.get(project) ?? []
      const index = queue.indexOf(pending)
      if (index === -1) return false
      queue.splice(index, 1)
      if (queue.length === 0) queues.delete(project)
      length--
      return true
    },
    takeBatch() {
      const [only] = queues
      if (only === undefined) return []
      const batch = queues.size === 1 ? takeOfOne(...only) : takeTurns()
      length -= batch.length
      return batch
    },
    takeAll() {
      const all = [...queues.values()].flat()
      queues.clear()
      length = 0
      return all
    },
  }
}

/** Calls without a project, or that identify it differently, have a separate queue. */
function projectOf([, input]: Call): string {
  const id = typeof input === 'string' ? input : (input as { projectId?: unknown } | undefined)?.projectId
  return typeof id === 'string' && id.startsWith('prj_') ? id : ''
}
