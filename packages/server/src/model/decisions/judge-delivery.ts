import type { AttemptResult, WebhookRecord } from '../webhooks.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** How long after the one before each attempt is made, the first at once. */
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
/** Each delay is up to this much shorter or longer, so that what failed together does not come back together. */
const JITTER = 0.1
const MAX_RETRY_AFTER_MS = DAY
const PAUSED_AFTER_MS = 5 * DAY
const GONE = 410

interface Circumstances {
  /** Counts the attempts of this series, this one included. */
  readonly attempt: number
  readonly result: AttemptResult
  /** Since when the webhook has taken nothing, before this attempt. */
  readonly failingSince: number | null
  readonly now: number
  /** From 0 to 1. */
  readonly random: number
}

export type DeliveryVerdict =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'retry'; readonly at: number }
  | { readonly kind: 'failed' }

/** What follows from an attempt, for its delivery and for the webhook. */
export interface AttemptVerdict {
  readonly delivery: DeliveryVerdict
  readonly failingSince: number | null
  /** Why nothing more is to be sent; `null` if there is no reason. */
  readonly pausedReason: string | null
}

/** Judges an attempt. Only an answer of 2xx is a success; 410, and five days of nothing but failure, pause the webhook. */
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

/** How many attempts a webhook may have under way: one that has failed for a minute gets no more than one, or a few dead endpoints would hold up all others. */
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
  const wished = Math.min((retryAfterSeconds ?? 0) * SECOND, MAX_RETRY_AFTER_MS)
  return { kind: 'retry', at: now + Math.max(spread, wished) }
}

function whyPaused({ status }: AttemptResult, failingSince: number, now: number): string | null {
  if (status === GONE) return 'The endpoint answered 410 Gone.'
  if (now - failingSince < PAUSED_AFTER_MS) return null
  return `Nothing but failures for five days, since ${new Date(failingSince).toISOString()}.`
}
