import type {
  AttemptError,
  DeliveryStatus,
  EventType,
  WebhookFormat,
  WebhookStatus,
} from '@bugle/contract/vocabulary'
import type { Actor, EventRecord } from './events.ts'
import type { ProjectId, WebhookId } from './ids.ts'
import type { StoredIssue } from './issues.ts'
import type { Lane } from './lanes.ts'
import type { ProjectRecord } from './projects.ts'

export interface WebhookRecord {
  readonly id: WebhookId
  readonly projectId: ProjectId
  /** Counts the webhooks of a project: their order in lists. */
  readonly number: number
  readonly name: string | null
  readonly url: string
  /** `null`: all. */
  readonly eventTypes: readonly EventType[] | null
  readonly includeSecurity: boolean
  readonly format: WebhookFormat
  readonly status: WebhookStatus
  readonly pausedReason: string | null
  /** Newest first. */
  readonly secrets: readonly SigningSecret[]
  readonly createdAt: number
  readonly updatedAt: number
  readonly lastSuccessAt: number | null
  /** Since when every attempt has failed. */
  readonly failingSince: number | null
}

export interface SigningSecret {
  readonly secret: string
  /** When it stops signing, because another has replaced it. */
  readonly until: number | null
}

/** A webhook that is about to be made; it is active, and starts at the end of the log. */
export type NewWebhook = Pick<
  WebhookRecord,
  'id' | 'projectId' | 'name' | 'url' | 'eventTypes' | 'includeSecurity' | 'format' | 'createdAt'
> & { readonly secret: string }

/** A webhook that is sent security issues is as hidden as they are. */
export function laneOfWebhook({ includeSecurity }: Pick<WebhookRecord, 'includeSecurity'>): Lane {
  return includeSecurity ? 'security' : 'open'
}

/** The lanes whose events a webhook is sent: its receiver counts positions in them. */
export function lanesOfWebhook({ includeSecurity }: Pick<WebhookRecord, 'includeSecurity'>): readonly Lane[] {
  return includeSecurity ? ['open', 'security'] : ['open']
}

/** What people may change of a webhook. A member that is absent stays as it is. */
export type WebhookPatch = Partial<
  Pick<WebhookRecord, 'name' | 'url' | 'eventTypes' | 'includeSecurity' | 'format' | 'status'>
>

/** Which webhook, and what the caller sees: one outside of it is missing. */
export interface WebhookCommand {
  readonly projectId: ProjectId
  readonly webhookId: WebhookId
  readonly lanes: readonly Lane[]
}

export interface WebhookChangeCommand extends WebhookCommand {
  readonly patch: WebhookPatch
  readonly actor: Actor
  readonly at: number
}

export interface SecretCommand extends WebhookCommand {
  readonly secret: string
  /** How long those before it still sign. */
  readonly previousUntil: number
  readonly at: number
}

/** One event on its way to one webhook. */
export interface DeliveryRecord {
  readonly position: number
  /** Of the event, counted within the open lane. */
  readonly openPosition: number
  readonly eventType: EventType
  readonly eventAt: number
  readonly status: DeliveryStatus
  readonly createdAt: number
  readonly nextAttemptAt: number | null
  readonly finishedAt: number | null
  readonly attemptCount: number
}

/** What came of one request; `error` is `null` only if the receiver took it. */
export interface AttemptResult {
  readonly status: number | null
  readonly error: AttemptError | null
  readonly durationMs: number
  /** The beginning of the answer. */
  readonly response: string | null
  readonly retryAfterSeconds: number | null
}

export interface AttemptRecord extends Omit<AttemptResult, 'retryAfterSeconds'> {
  readonly number: number
  readonly at: number
}

/** Deliveries that are due are handed out, at most so many for each webhook and in all. */
export interface ClaimCommand {
  readonly now: number
  /** After this long without a result, somebody else may try. */
  readonly leaseMs: number
  readonly perWebhook: number
  readonly limit: number
}

/** A delivery to make, with everything there is to say. */
export interface Claim {
  readonly webhook: WebhookRecord
  readonly project: Pick<ProjectRecord, 'id' | 'name' | 'slug'>
  readonly event: EventRecord
  /** As it is now; `null` if the event is about none, or about one that is gone. */
  readonly issue: StoredIssue | null
}

/** An attempt that was made. */
export interface AttemptCommand {
  readonly projectId: ProjectId
  readonly webhookId: WebhookId
  readonly position: number
  readonly sentAt: number
  /** When the result was known: what comes next is counted from here. */
  readonly now: number
  readonly result: AttemptResult
  /** From 0 to 1: spreads the next attempts. */
  readonly random: number
}
