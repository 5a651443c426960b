import type { NewEvent } from '../events.ts'
import type {
  AttemptCommand,
  SecretCommand,
  SigningSecret,
  WebhookPatch,
  WebhookRecord,
} from '../webhooks.ts'
import type { AttemptVerdict } from './judge-delivery.ts'

/** Receivers check all signatures of a message, so there must not be many. */
const MAX_SECRETS = 5

export interface WebhookDecision {
  readonly webhook: WebhookRecord
  /** Only pausing and resuming create an event. */
  readonly event: NewEvent | null
}

/** Applies a patch to a webhook. `lost` explains which events the log no longer has, if any. */
export function changeWebhook(
  webhook: WebhookRecord,
  patch: WebhookPatch,
  { at, lost }: { readonly at: number; readonly lost: string | null },
): WebhookDecision {
  const changed = { ...webhook, ...patch, updatedAt: at }
  if (changed.status === webhook.status) return { webhook: changed, event: null }
  return changed.status === 'paused' ? pauseWebhook(changed, BY_HAND) : resumeWebhook(changed, lost)
}

const BY_HAND = 'Paused manually.'

/** Stops all further deliveries. */
function pauseWebhook(webhook: WebhookRecord, pausedReason: string): WebhookDecision {
  return {
    webhook: { ...webhook, status: 'paused', pausedReason },
    event: eventOf('webhook.paused', webhook, pausedReason),
  }
}

/** The event for a resumed webhook, with the reason if events were lost. */
export function resumeWebhook(webhook: WebhookRecord, lost: string | null): WebhookDecision {
  return {
    webhook: { ...webhook, status: 'active', pausedReason: null, failingSince: null },
    event: eventOf('webhook.resumed', webhook, lost ?? 'It continues where it stopped.'),
  }
}

/** Applies the result of an attempt to its webhook. */
export function applyVerdict(
  webhook: WebhookRecord,
  { failingSince, pausedReason }: AttemptVerdict,
  { now, result }: Pick<AttemptCommand, 'now' | 'result'>,
): WebhookDecision {
  const lastSuccessAt = result.error === null ? now : webhook.lastSuccessAt
  const tried = { ...webhook, failingSince, lastSuccessAt }
  if (pausedReason === null || webhook.status === 'paused') return { webhook: tried, event: null }
  return pauseWebhook({ ...tried, updatedAt: now }, pausedReason)
}

/** The reason if the log has deleted events before a webhook received them. */
export const EVENTS_LOST =
  'Some pending events are no longer in the log. It continues after the missing ones.'

/** Puts a new secret first; earlier ones sign until they expire. */
export function rotateSecrets(
  secrets: readonly SigningSecret[],
  { secret, previousUntil, at }: Pick<SecretCommand, 'secret' | 'previousUntil' | 'at'>,
): readonly SigningSecret[] {
  const previous = secretsAt(secrets, at).map((old) => ({ ...old, until: old.until ?? previousUntil }))
  return [{ secret, until: null }, ...previous].slice(0, MAX_SECRETS)
}

/** The secrets that sign at a given time. */
export function secretsAt(secrets: readonly SigningSecret[], at: number): readonly SigningSecret[] {
  return secrets.filter(({ until }) => until === null || until > at)
}

function eventOf(type: NewEvent['type'], { id, name }: WebhookRecord, sentence: string): NewEvent {
  const subject = name === null ? id : `${name} (${id})`
  return { type, changes: [], note: null, reason: `${subject}: ${sentence}` }
}
