import type { Clock } from '../clock.ts'
import type { Unassignment } from '../model/people/users.ts'
import type { Storage } from '../storage/storage.ts'

/** The number of issues that are unassigned from a person in one call. */
const STEP = 50
/** Longer than a change that was allowed while the person still had access can take. */
const GRACE_MS = 10_000

interface Clearing {
  readonly storage: Pick<Storage, 'issues' | 'users'>
  readonly clock: Clock
  /** Tests need not wait. */
  readonly graceMs?: number
}

/** Unassigns issues from people who may no longer see them, in small steps: each call does one step, and the next call continues. */
export function createAssignmentClearing({ storage, clock, graceMs = GRACE_MS }: Clearing) {
  const clearedSince = new Map<string, number>()

  /** A change that was allowed before may still be in progress, so the person is checked again after a while. */
  async function finish(unassignment: Unassignment, name: string): Promise<void> {
    const since = clearedSince.get(name) ?? clock()
    clearedSince.set(name, since)
    if (clock() - since < graceMs) return
    await storage.users.finishUnassignment(unassignment)
    clearedSince.delete(name)
  }

  return async function clearAssignments(): Promise<void> {
    const unassignment = await storage.users.nextUnassignment()
    if (unassignment === undefined) return clearedSince.clear()
    const { userId, round } = unassignment
    const user = await storage.users.find(userId)
    const issues = await storage.issues.listUnassignable(userId, user, STEP)
    if (issues.length === 0) return finish(unassignment, `${userId} ${round}`)
    await Promise.all(issues.map((issue) => storage.issues.unassign({ ...issue, userId, at: clock() })))
  }
}
