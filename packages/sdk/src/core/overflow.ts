import type { Report } from './types.ts'

/** With the limits of a report this is about 2 MB at most, which every storage takes. */
const MAX_QUEUED = 50

/** The reports to give up so that the others fit: crash reports first, and the oldest of them first. */
export function overflowOf(reports: readonly Report[]): readonly Report[] {
  const leastWanted = [...reports].sort((a, b) => +!a.fingerprint - +!b.fingerprint)
  return leastWanted.slice(0, Math.max(0, reports.length - MAX_QUEUED))
}
