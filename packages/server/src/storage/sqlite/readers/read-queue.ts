import type { ProjectId } from '../../../model/ids.ts'

/** Reads that wait for a thread. Projects take turns, so that a busy project hardly delays the others. */
export interface ReadQueue<T> {
  readonly size: number
  add(projectId: ProjectId | null, read: T): void
  /** The next read, of the project whose last turn was the longest ago. */
  take(): T | undefined
  /** False if it was not waiting. */
  remove(projectId: ProjectId | null, read: T): boolean
  /** Makes room for a read of a project: removes the last read of the project with the most waiting reads, unless that is this project. */
  yieldTo(projectId: ProjectId | null): T | undefined
}

export function createReadQueue<T>(): ReadQueue<T> {
  /** In the order of their turns. A project is in it while it has reads waiting. */
  const waiting = new Map<ProjectId | null, T[]>()
  let size = 0

  function leave(projectId: ProjectId | null, reads: readonly T[]): void {
    size--
    if (reads.length === 0) waiting.delete(projectId)
  }

  return {
    get size() {
      return size
    },
    add(projectId, read) {
      size++
      const reads = waiting.get(projectId)
      if (reads === undefined) waiting.set(projectId, [read])
      else reads.push(read)
    },
    take() {
      const [next] = waiting
      if (next === undefined) return undefined
      const [projectId, reads] = next
      const read = reads.shift()
      // Behind all others.
      waiting.delete(projectId)
      waiting.set(projectId, reads)
      leave(projectId, reads)
      return read
    },
    remove(projectId, read) {
      const reads = waiting.get(projectId) ?? []
      const index = reads.indexOf(read)
      if (index === -1) return false
      reads.splice(index, 1)
      leave(projectId, reads)
      return true
    },
    yieldTo(projectId) {
      const own = waiting.get(projectId)?.length ?? 0
      const [longest] = [...waiting].toSorted(([, a], [, b]) => b.length - a.length)
      // With one more read, this project must not have more than the other has left.
      if (longest === undefined || longest[1].length <= own + 1) return undefined
      const read = longest[1].pop()
      leave(...longest)
      return read
    },
  }
}
