const FIRST_STEP_MS = 2_000
const LONGEST_STEP_MS = 15 * 60_000
const LONGEST_RETRY_AFTER_MS = 24 * 3_600_000

/** Full jitter: any moment up to the step, so that a thousand clients of a server that comes back do not return together. */
export function backoffMs(failures: number, random: () => number): number {
  return random() * Math.min(LONGEST_STEP_MS, FIRST_STEP_MS * 2 ** failures)
}

/** What a `Retry-After` header asks for, as seconds or as a date; 0 without one. */
export function retryAfterMs(header: string | null | undefined, now: number): number {
  const milliseconds = Number(header) * 1_000 || Date.parse(header ?? '') - now || 0
  return Math.min(LONGEST_RETRY_AFTER_MS, Math.max(0, milliseconds))
}
