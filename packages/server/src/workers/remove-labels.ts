import type { Clock } from '../clock.ts'
import type { Storage } from '../storage/storage.ts'

/** Issues that a label is taken from in one call. */
const STEP = 50
/** Longer than a change takes that was allowed while the label was still there. */
const GRACE_MS = 10_000

interface Removal {
  readonly storage: Pick<Storage, 'issues' | 'labels'>
  readonly clock: Clock
  /** Tests need not wait. */
  readonly graceMs?: number
}

/** Takes deleted labels from issues in small steps: each call does one, and the next call continues. */
export function createLabelRemoval({ storage, clock, graceMs = GRACE_MS }: Removal) {
  const clearedSince = new Map<string, number>()

  return async function removeLabels(): Promise<void> {
    const label = await storage.labels.nextDeleted()
    if (label === undefined) return clearedSince.clear()
    const issues = await storage.labels.listLabelled(label, STEP)
    await Promise.all(issues.map((issue) => storage.issues.unlabel({ ...issue, label: label.number })))
    if (issues.length > 0) return
    // A change that was allowed before may still be on its way.
    const name = `${label.projectId} ${label.number}`
    const since = clearedSince.get(name) ?? clock()
    clearedSince.set(name, since)
    if (clock() - since >= graceMs) await storage.labels.finishDeleted(label)
  }
}
