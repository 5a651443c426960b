import type { Storm } from './client.ts'
import type { DropReason } from './drops.ts'
import type { Note } from './notes.ts'

const MINUTE_MS = 60_000
const KINDS_A_MINUTE = 10

/**
 * Holds back storms: a minute has room for ten kinds of failures, and for each of them once. Crashes of one fingerprint at
 * different sites are different kinds. The note outlives the page, so that one that fails while it loads, and loads
 * again, does not start anew each time.
 */
export function judgeStorm(note: Note<Storm>, site: string, now: number): DropReason | undefined {
  const { since = 0, seen = [] } = note.read() ?? {}
  const isOver = !(Math.abs(now - since) < MINUTE_MS)
  const kinds = isOver ? [] : seen
  if (kinds.includes(site)) return 'repeated'
  if (kinds.length >= KINDS_A_MINUTE) return 'rate-limited'
  note.write({ since: isOver ? now : since, seen: [...kinds, site] })
  return undefined
}
