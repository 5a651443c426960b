import type { NewEvent } from '../events.ts'
import type {
  AttemptCommand,
  SecretCommand,
  SigningSecret,
  WebhookPatch,
  WebhookRecord,
} from '../webhooks.ts'
import type { AttemptVerdict } from './judge-delivery.ts'

/** Receivers look through all signatures of a message, so there must not be many. */
const MAX_SECRETS = 5

export interface WebhookDecision {
  readonly webhook: WebhookRecord
  /** Only pausing and resuming are told to others. */
  readonly event: NewEvent | null
}

/** What a patch makes of a webhook. `lost` says, if so, what the log no longer has for it. */
export function changeWebhook(
  webhook: WebhookRecord,
  patch: WebhookPatch,
  { at, lost }: { readonly at: number; readonly lost: string | null },
): WebhookDecision {
  const changed = { ...webhook, ...patch, updatedAt: at }
  if (changed.status === webhook.status) return { webhook: changed, event: null }
  return changed.status === 'paused' ? pauseWebhook(changed, BY_HAND) : resumeWebhook(changed, lost)
}

const BY_HAND = 'Paused by hand.'

/** Holds everything back that is not delivered yet. */
function pauseWebhook(webhook: WebhookRecord, pausedReason: string): WebhookDecision {
  return {
    webhook: { ...webhook, status: 'paused', pausedReason },
    event: eventOf('webhook.paused', webhook, pausedReason),
  }
}

/** The event that says that a webhook goes on, and why from a later place, if so. */
export function resumeWebhook(webhook: WebhookRecord, lost: string | null): WebhookDecision {
  return {
    webhook: { ...webhook, status: 'active', pausedReason: null, failingSince: null },
    event: eventOf('webhook.resumed', webhook, lost ?? 'It goes on where it stopped.'),
  }
}

/** What an attempt makes of its webhook. */
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

/** What is said when the log has let go of events before a webhook got to them. */
export const EVENTS_LOST =
  'The log no longer has all the events that were waiting, so it goes on after the missing ones.'

/** Puts a new secret first; those before it sign until they run out. */
export function rotateSecrets(
  secrets: readonly SigningSecret[],
  { secret, previousUntil, at }: Pick<SecretCommand, 'secret' | 'previousUntil' | 'at'>,
): readonly SigningSecret[] {
  const previous = secretsAt(secrets, at).map((old) => ({ ...old, until: old.until ?? previousUntil }))
  return [{ secret, until: null }, ...previous].slice(0, MAX_SECRETS)
}

/** The secrets that sign at a moment. */
export function secretsAt(secrets: readonly SigningSecret[], at: number): readonly SigningSecret[] {
  return secrets.filter(({ until }) => until === null || until > at)
}

function eventOf(type: NewEvent['type'], { id, name }: WebhookRecord, sentence: string): NewEvent {
  const subject = name === null ? id : `${name} (${id})`
  return { type, changes: [], note: null, reason: `${subject}: ${sentence}` }
}
