import type { HttpResponse, Platform } from '../platform.ts'
import type { QueuedReason } from '../types.ts'

/** The response; status 0 if there was none. */
export interface Answer {
  readonly status: number
  /** The headers `Retry-After` and `Date`. */
  readonly _retryAfter?: string | null
  readonly _date?: string | null
  /** All of them. */
  readonly _headers?: HttpResponse['headers']
  /** The parsed JSON body, if there was one. */
  readonly body?: unknown
}

/** The meaning of a response: the report has arrived, is dropped, or waits with all others. */
export type Verdict =
  | {
      readonly status: 'sent'
      readonly issueId: string | undefined
      readonly issueNumber?: number | undefined
    }
  | { readonly status: 'dropped' }
  | { readonly status: 'queued'; readonly _milliseconds: number; readonly reason: QueuedReason }

const PAUSE_MS = 30 * 60_000
const SHORTEST_STEP_MS = 1_000
const LONGEST_STEP_MS = 5 * 60_000
const LONGEST_RETRY_AFTER_MS = 24 * 3_600_000
const REFUSALS = [400, 410, 413, 415, 422]
const TRY_AGAIN = [408, 425, 429]

/** Whether this is a response from Bugle: it contains an issue, or it is a problem document. Responses of a proxy or a captive portal are neither. */
export function isFromServer({ status, body }: Answer): boolean {
  // `test` converts any value to a string.
  const { id, requestId } = Object(body) as { id: string; requestId: string }
  return status < 300 ? /^iss_/.test(id) : /^req_/.test(requestId)
}

/**
 * The status map. Unless a response is known to be final, the report is kept. `failures` is the number of failed attempts in a row, without
 * this one.
 */
export function judgeAnswer(
  answer: Answer,
  failures: number,
  platform: Pick<Platform, '_isOnline' | '_now' | '_random'>,
): Verdict {
  const { status, body } = answer
  const isOurs = isFromServer(answer)
  // A conflict means that an earlier form of this report has arrived.
  if (isOurs && (status < 300 || status === 409)) {
    const { id, issueNumber } = body as { id?: string; issueNumber?: number }
    return { status: 'sent', issueId: id, issueNumber }
  }
  if (isOurs && REFUSALS.includes(status)) return { status: 'dropped' }
  const isUnwanted = isOurs && status < 500 && !TRY_AGAIN.includes(status)
  const asked = retryAfterMs(answer, platform._now())
  return {
    status: 'queued',
    _milliseconds: isUnwanted ? PAUSE_MS : asked + backoffMs(asked ? 0 : failures, platform._random),
    reason:
      isUnwanted && status < 404
        ? 'key-refused'
        : isUnwanted || asked
          ? 'held'
          : platform._isOnline()
            ? 'retrying'
            : 'offline',
  }
}

/** A random delay from one second up to the step, so that the clients of a restarted server do not return all at once. */
export function backoffMs(failures: number, random: () => number): number {
  const step = Math.min(LONGEST_STEP_MS, 2 * SHORTEST_STEP_MS * 2 ** failures)
  return SHORTEST_STEP_MS + random() * (step - SHORTEST_STEP_MS)
}

/** The delay in a `Retry-After` header, as seconds or as a date by the server's clock; 0 without one. */
export function retryAfterMs(
  { _retryAfter: retryAfter, _date: date }: Pick<Answer, '_retryAfter' | '_date'>,
  now: number,
): number {
  const milliseconds =
    Number(retryAfter) * 1_000 || Date.parse(`${retryAfter}`) - (Date.parse(`${date}`) || now) || 0
  return Math.min(LONGEST_RETRY_AFTER_MS, Math.max(0, milliseconds))
}
