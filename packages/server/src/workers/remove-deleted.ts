import { setTimeout as sleep } from 'node:timers/promises'
import type { Storage } from '../storage/storage.ts'

/** What others submit gets in between. */
const PAUSE_MS = 10
/** Shorter than the time until it is called again. */
const TURN_MS = 500

/** Removes what deleted issues have left, in small steps and for a while; the rest follows the next time. */
export async function removeDeleted({ issues }: Pick<Storage, 'issues'>): Promise<void> {
  const end = performance.now() + TURN_MS
  while (performance.now() < end && (await issues.removeDeleted())) await sleep(PAUSE_MS)
}
