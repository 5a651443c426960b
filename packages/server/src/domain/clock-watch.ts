import type { Clock } from '../clock.ts'
import type { Storage } from '../storage/storage.ts'

/** Clocks that are kept with NTP differ by less. */
export const LEAD_TOLERANCE_MS = 5_000

/** Compares the clock of this machine with that of the database, which all servers share. */
export interface ClockWatch {
  /** How far our clock is ahead of that of the database, at least; `null` if the database has no clock of its own. */
  readonly leadMs: number | null
  check(): Promise<void>
}

interface Dependencies {
  readonly storage: Pick<Storage, 'readClock'>
  readonly clock: Clock
  /** Called when our clock starts or stops to differ from that of the database. */
  readonly onChange: (isWrong: boolean, leadMs: number) => void
}

export function createClockWatch({ storage, clock, onChange }: Dependencies): ClockWatch {
  let leadMs: number | null = null
  let isWrong = false
  return {
    get leadMs() {
      return leadMs
    },
    async check() {
      const ours = clock()
      const sentAt = performance.now()
      const theirs = await storage.readClock()
      if (theirs === null) return
      leadMs = leadOf(ours - theirs, performance.now() - sentAt)
      const wasWrong = isWrong
      isWrong = Math.abs(leadMs) > LEAD_TOLERANCE_MS
      if (isWrong !== wasWrong) onChange(isWrong, leadMs)
    },
  }
}

/** The database read its clock at an unknown moment while we waited, so a difference up to that time proves nothing. */
function leadOf(difference: number, waitedMs: number): number {
  if (difference > 0) return difference
  return Math.min(0, difference + waitedMs)
}
