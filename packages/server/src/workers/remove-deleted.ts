import { setTimeout as sleep } from 'node:timers/promises'
import type { Storage } from '../storage/storage.ts'

/** Submissions are handled in between. */
const PAUSE_MS = 10
/** Shorter than the interval between calls. */
const TURN_MS = 500

/** Removes remaining rows of deleted issues in small steps, for a limited time; the next call continues. */
export async function removeDeleted({ issues }: Pick<Storage, 'issues'>): Promise<void> {
  const end = performance.now() + TURN_MS
  while (performance.now() < end && (await issues.removeDeleted())) await sleep(PAUSE_MS)
}
