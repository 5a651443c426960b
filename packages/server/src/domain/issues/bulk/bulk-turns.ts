import { promisify } from 'node:util'
import type { ProjectId } from '../../../model/ids.ts'

const sleep = promisify(setTimeout)
/** The pause after a bulk change, as a multiple of its own time: two thirds of the time remain for other writes. */
const PAUSE_FACTOR = 2
/** A change that waited for a database that stands still must not stop those of all projects for as long. */
const MAX_PAUSE_MS = 1_000

/**
 * A bulk change holds the writer longer than any other request. So there is one at a time, projects take turns, and each is followed
 * by a pause: a submission waits for one bulk change at most, however many are requested.
 */
export interface BulkTurns {
  /** Runs a change when it is the turn of its project. */
  take<T>(projectId: ProjectId, change: () => Promise<T>): Promise<T>
}

export function createBulkTurns(
  now = () => performance.now(),
  pause: (milliseconds: number) => Promise<void> = sleep,
): BulkTurns {
  // By project, in the order of their turns.
  const waiting = new Map<ProjectId, (() => Promise<void>)[]>()
  let isServing = false

  async function serve(): Promise<void> {
    isServing = true
    for (let change = takeNext(); change !== undefined; change = takeNext()) {
      const began = now()
      await change()
      await pause(Math.min(MAX_PAUSE_MS, PAUSE_FACTOR * (now() - began)))
    }
    isServing = false
  }

  function takeNext(): (() => Promise<void>) | undefined {
    const [first] = waiting
    if (first === undefined) return undefined
    const [projectId, changes] = first
    const next = changes.shift()
    waiting.delete(projectId)
    if (changes.length > 0) waiting.set(projectId, changes)
    return next
  }

  return {
    take(projectId, change) {
      return new Promise((resolve, reject) => {
        const changes = waiting.get(projectId) ?? []
        waiting.set(projectId, changes)
        changes.push(() => change().then(resolve, reject))
        if (!isServing) void serve()
      })
    },
  }
}
