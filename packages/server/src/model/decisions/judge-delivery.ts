import type { AttemptResult, WebhookRecord } from '../webhooks.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** The delay of each attempt after the previous one; the first is immediate. */
export const ATTEMPT_DELAYS_MS: readonly number[] = [
  0,
  5 * SECOND,
  MINUTE,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  20 * HOUR,
  24 * HOUR,
]
/** Each delay is up to this much shorter or longer, so that deliveries that failed together are not retried together. */
const JITTER = 0.1
const MAX_RETRY_AFTER_MS = DAY
const PAUSED_AFTER_MS = 5 * DAY
const GONE = 410

interface Circumstances {
  /** The number of attempts in this series, including this one. */
  readonly attempt: number
  readonly result: AttemptResult
  /** The time since which the webhook has accepted nothing, before this attempt. */
  readonly failingSince: number | null
  readonly now: number
  /** From 0 to 1. */
  readonly random: number
}

export type DeliveryVerdict =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'retry'; readonly at: number }
  | { readonly kind: 'failed' }

/** The consequences of an attempt for its delivery and its webhook. */
export interface AttemptVerdict {
  readonly delivery: DeliveryVerdict
  readonly failingSince: number | null
  /** Why the webhook is paused; `null` if it is not. */
  readonly pausedReason: string | null
}

/** Judges an attempt. Only a 2xx response is a success; 410, or five days of failures only, pause the webhook. */
export function judgeDelivery({ attempt, result, failingSince, now, random }: Circumstances): AttemptVerdict {
  if (result.error === null) {
    return { delivery: { kind: 'delivered' }, failingSince: null, pausedReason: null }
  }
  const since = failingSince ?? now
  return {
    delivery: whatIsNext(attempt, result, { now, random }),
    failingSince: since,
    pausedReason: whyPaused(result, since, now),
  }
}

const SUSPECT_AFTER_MS = MINUTE

/** How many attempts a webhook may have in progress: only one if it has failed for a minute, because a few dead endpoints would delay all others. */
export function slotsOf(
  { failingSince }: Pick<WebhookRecord, 'failingSince'>,
  usual: number,
  now: number,
): number {
  return failingSince !== null && now - failingSince >= SUSPECT_AFTER_MS ? 1 : usual
}

function whatIsNext(
  attempt: number,
  { retryAfterSeconds }: AttemptResult,
  { now, random }: Pick<Circumstances, 'now' | 'random'>,
): DeliveryVerdict {
  const delay = ATTEMPT_DELAYS_MS[attempt]
  if (delay === undefined) return { kind: 'failed' }
  const spread = Math.round(delay * (1 - JITTER + 2 * JITTER * random))
  const requested = Math.min((retryAfterSeconds ?? 0) * SECOND, MAX_RETRY_AFTER_MS)
  return { kind: 'retry', at: now + Math.max(spread, requested) }
}

function whyPaused({ status }: AttemptResult, failingSince: number, now: number): string | null {
  if (status === GONE) return 'The endpoint responded with 410 Gone.'
  if (now - failingSince < PAUSED_AFTER_MS) return null
  return `All attempts have failed for five days, since ${new Date(failingSince).toISOString()}.`
}
