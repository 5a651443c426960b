import type { DropReason } from './drops.ts'

const MINUTE_MS = 60_000
const KINDS_A_MINUTE = 10

/** Holds back storms: a minute has room for ten kinds of failures, and for each of them once. */
export function createCrashLimit(): (fingerprint: string | undefined, now: number) => DropReason | undefined {
  let seen: (string | undefined)[] = []
  let since = 0
  return (fingerprint, now) => {
    if (Math.abs(now - since) > MINUTE_MS) {
      seen = []
      since = now
    }
    if (seen.includes(fingerprint)) return 'repeated'
    if (seen.length >= KINDS_A_MINUTE) return 'rate-limited'
    seen.push(fingerprint)
    return undefined
  }
}
