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
  /** A sequence number within the project, which determines the order in lists. */
  readonly number: number
  readonly name: string | null
  readonly url: string
  /** `null` for all types. */
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
  /** The time since which every attempt has failed. */
  readonly failingSince: number | null
}

export interface SigningSecret {
  readonly secret: string
  /** When it stops signing, if it has been replaced by another secret. */
  readonly until: number | null
}

/** A webhook to be created. It is active, and starts at the end of the log. */
export type NewWebhook = Pick<
  WebhookRecord,
  'id' | 'projectId' | 'name' | 'url' | 'eventTypes' | 'includeSecurity' | 'format' | 'createdAt'
> & { readonly secret: string }

/** A webhook that receives security issues is as hidden as those issues. */
export function laneOfWebhook({ includeSecurity }: Pick<WebhookRecord, 'includeSecurity'>): Lane {
  return includeSecurity ? 'security' : 'open'
}

/** How the audit log names a webhook. */
export function auditedAs(webhook: WebhookRecord) {
  const { id, projectId, name } = webhook
  return { projectId, subject: id, subjectName: name, lane: laneOfWebhook(webhook) }
}

/** The lanes whose events a webhook receives. Its receiver sees positions counted in these lanes. */
export function lanesOfWebhook({ includeSecurity }: Pick<WebhookRecord, 'includeSecurity'>): readonly Lane[] {
  return includeSecurity ? ['open', 'security'] : ['open']
}

/** The fields of a webhook that people may change. Absent fields stay as they are. */
export type WebhookPatch = Partial<
  Pick<WebhookRecord, 'name' | 'url' | 'eventTypes' | 'includeSecurity' | 'format' | 'status'>
>

/** Identifies a webhook, and the lanes that the caller sees. A webhook outside those lanes is treated as missing. */
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
  /** When the previous secrets stop signing. */
  readonly previousUntil: number
  readonly at: number
}

/** The delivery of one event to one webhook. */
export interface DeliveryRecord {
  readonly position: number
  /** The position of the event, counted within the open lane. */
  readonly openPosition: number
  readonly eventType: EventType
  readonly eventAt: number
  readonly status: DeliveryStatus
  readonly createdAt: number
  readonly nextAttemptAt: number | null
  readonly finishedAt: number | null
  readonly attemptCount: number
}

/** A delivery with its attempts, oldest first. */
export interface DeliveryHistory extends DeliveryRecord {
  readonly attempts: readonly AttemptRecord[]
}

/** The result of one request; `error` is `null` only if the receiver accepted it. */
export interface AttemptResult {
  readonly status: number | null
  readonly error: AttemptError | null
  readonly durationMs: number
  /** The beginning of the response. */
  readonly response: string | null
  readonly retryAfterSeconds: number | null
}

export interface AttemptRecord extends Omit<AttemptResult, 'retryAfterSeconds'> {
  readonly number: number
  readonly at: number
}

/** Claims due deliveries, up to a maximum for each webhook and in total. */
export interface ClaimCommand {
  readonly now: number
  /** If there is no result after this time, another process may retry. */
  readonly leaseMs: number
  readonly perWebhook: number
  readonly limit: number
}

/** A claimed delivery, with everything that its message contains. */
export interface Claim {
  readonly webhook: WebhookRecord
  readonly project: Pick<ProjectRecord, 'id' | 'name' | 'slug'>
  readonly event: EventRecord
  /** The current issue; `null` if the event has no issue, or the issue was deleted. */
  readonly issue: StoredIssue | null
}

/** A finished attempt, to be recorded. */
export interface AttemptCommand {
  readonly projectId: ProjectId
  readonly webhookId: WebhookId
  readonly position: number
  readonly sentAt: number
  /** When the result was known; the next attempt is scheduled from here. */
  readonly now: number
  readonly result: AttemptResult
  /** From 0 to 1, for the jitter of the next attempt. */
  readonly random: number
}

/** Webhooks of all projects by state, and the deliveries that wait for an attempt. */
export interface WebhookTally {
  readonly active: number
  readonly failing: number
  readonly paused: number
  readonly pending: number
}
