import { backoffMs, retryAfterMs } from './backoff.ts'
import type { Platform } from './platform.ts'
import type { QueuedReason } from './types.ts'

/** What came back; status 0 when nothing did. */
export interface Answer {
  readonly status: number
  readonly retryAfter?: string | null
  /** The JSON of the body, if it was any. */
  readonly body?: unknown
}

/** What an answer means: the report has arrived, never will, or waits, and with it all others. */
export type Verdict =
  | { readonly status: 'sent'; readonly issueId: string | undefined }
  | { readonly status: 'dropped' }
  | { readonly status: 'queued'; readonly milliseconds: number; readonly reason: QueuedReason }

const PAUSE_MS = 30 * 60_000
/** More failures than this while online: something on the way does not want it, such as an ad blocker. */
const BLOCKED_AFTER = 3
const REFUSALS = [400, 410, 413, 415, 422]
const TRY_AGAIN = [408, 425, 429]

/**
 * The status map. Whatever is not known to be final is kept. `failures` are the attempts that failed in a row, without
 * this one.
 */
export function judgeAnswer(
  { status, retryAfter, body }: Answer,
  failures: number,
  platform: Pick<Platform, 'isOnline' | 'now' | 'random'>,
): Verdict {
  const isOnline = platform.isOnline()
  const { id: issueId } = Object(body) as { id?: string }
  // A conflict means that an earlier form of this report has arrived. A success that names no issue is not the server's.
  if (status === 409 || (status < 300 && issueId)) return { status: 'sent', issueId }
  if (REFUSALS.includes(status)) return { status: 'dropped' }
  const isUnwanted = status > 399 && status < 500 && !TRY_AGAIN.includes(status)
  const isBlocked = !status && isOnline && failures >= BLOCKED_AFTER
  const asked = retryAfterMs(retryAfter, platform.now())
  return {
    status: 'queued',
    milliseconds:
      isUnwanted || isBlocked ? PAUSE_MS : asked + backoffMs(asked ? 0 : failures, platform.random),
    reason: isUnwanted || asked ? 'held' : isOnline ? 'retrying' : 'offline',
  }
}
