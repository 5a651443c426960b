import type { SignInRecord } from '../../model/people/users.ts'

const DAY_MS = 86_400_000
const MAX_IDLE_MS = 30 * DAY_MS
export const MAX_SESSION_MS = 90 * DAY_MS

/** When a session ends if it is not used again. */
export function endOfSession({
  createdAt,
  lastSeenAt,
}: Pick<SignInRecord, 'createdAt' | 'lastSeenAt'>): number {
  return Math.min(createdAt + MAX_SESSION_MS, lastSeenAt + MAX_IDLE_MS)
}

/** Sessions that started, or were last used, before these times have expired. */
export function expiredBefore(now: number): { readonly createdAt: number; readonly lastSeenAt: number } {
  return { createdAt: now - MAX_SESSION_MS, lastSeenAt: now - MAX_IDLE_MS }
}
