import type { Platform } from '../platform.ts'
import type { QueuedReason } from '../types.ts'

/** What came back; status 0 when nothing did. */
export interface Answer {
  readonly status: number
  /** The headers `Retry-After` and `Date`. */
  readonly retryAfter?: string | null
  readonly date?: string | null
  /** The JSON of the body, if it was any. */
  readonly body?: unknown
}

/** What an answer means: the report has arrived, never will, or waits, and with it all others. */
export type Verdict =
  | { readonly status: 'sent'; readonly issueId: string | undefined }
  | { readonly status: 'dropped' }
  | { readonly status: 'queued'; readonly milliseconds: number; readonly reason: QueuedReason }

const PAUSE_MS = 30 * 60_000
const SHORTEST_STEP_MS = 1_000
const LONGEST_STEP_MS = 5 * 60_000
const LONGEST_RETRY_AFTER_MS = 24 * 3_600_000
const REFUSALS = [400, 410, 413, 415, 422]
const TRY_AGAIN = [408, 425, 429]

/** Whether Bugle wrote this: it names an issue, or it is a problem document. A proxy or a captive portal does neither. */
export function isFromServer({ status, body }: Answer): boolean {
  // `test` makes a text of whatever it is given.
  const { id, requestId } = Object(body) as { id: string; requestId: string }
  return status < 300 ? /^iss_/.test(id) : /^req_/.test(requestId)
}

/**
 * The status map. Whatever is not known to be final is kept. `failures` are the attempts that failed in a row, without
 * this one.
 */
export function judgeAnswer(
  answer: Answer,
  failures: number,
  platform: Pick<Platform, 'isOnline' | 'now' | 'random'>,
): Verdict {
  const { status, body } = answer
  const isOurs = isFromServer(answer)
  // A conflict means that an earlier form of this report has arrived.
  if (isOurs && (status < 300 || status === 409))
    return { status: 'sent', issueId: (body as { id?: string }).id }
  if (isOurs && REFUSALS.includes(status)) return { status: 'dropped' }
  const isUnwanted = isOurs && status < 500 && !TRY_AGAIN.includes(status)
  const asked = retryAfterMs(answer, platform.now())
  return {
    status: 'queued',
    milliseconds: isUnwanted ? PAUSE_MS : asked + backoffMs(asked ? 0 : failures, platform.random),
    reason:
      isUnwanted && status < 404
        ? 'key-refused'
        : isUnwanted || asked
          ? 'held'
          : platform.isOnline()
            ? 'retrying'
            : 'offline',
  }
}

/** Any moment from a second up to the step, so that a thousand clients of a server that comes back do not return together. */
export function backoffMs(failures: number, random: () => number): number {
  const step = Math.min(LONGEST_STEP_MS, 2 * SHORTEST_STEP_MS * 2 ** failures)
  return SHORTEST_STEP_MS + random() * (step - SHORTEST_STEP_MS)
}

/** What a `Retry-After` header asks for, as seconds or as a date by the server's own clock; 0 without one. */
export function retryAfterMs({ retryAfter, date }: Pick<Answer, 'retryAfter' | 'date'>, now: number): number {
  const milliseconds =
    Number(retryAfter) * 1_000 || Date.parse(`${retryAfter}`) - (Date.parse(`${date}`) || now) || 0
  return Math.min(LONGEST_RETRY_AFTER_MS, Math.max(0, milliseconds))
}
