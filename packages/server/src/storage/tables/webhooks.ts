import type { AttemptError, DeliveryStatus } from '@bugle/contract/vocabulary'
import type { WebhookRecord } from '../../model/webhooks.ts'
import { flag, id, json, plain, type TableInfo, table } from './table-kinds.ts'

/** `project` is a sequence number. Matching events up to and including `position` have become deliveries. */
export type WebhookRow = Omit<WebhookRecord, 'projectId'> & {
  readonly project: number
  readonly position: number
}

export const WEBHOOKS = table<WebhookRow>(
  {
    name: 'webhooks',
    owner: 'project',
    key: ['project', 'number'],
    lines: ['webhook'],
    isOnCoordinator: true,
  },
  {
    ...plain('project number name url format status pausedReason position'),
    ...plain('createdAt updatedAt lastSuccessAt failingSince'),
    id: id('whk'),
    eventTypes: json,
    includeSecurity: flag,
    secrets: json,
  },
)

export interface DeliveryRow {
  readonly project: number
  /** The number of the webhook. */
  readonly webhook: number
  readonly position: number
  readonly status: DeliveryStatus
  readonly createdAt: number
  readonly nextAttemptAt: number | null
  readonly leasedUntil: number | null
  readonly finishedAt: number | null
  readonly attempts: number
  /** Attempts since the delivery last became pending. */
  readonly seriesAttempts: number
}

export const DELIVERIES = table<DeliveryRow>(
  { name: 'deliveries', owner: 'issue', key: ['project', 'webhook', 'position'], lines: ['delivery'] },
  {
    ...plain('project webhook position status attempts seriesAttempts'),
    ...plain('createdAt nextAttemptAt leasedUntil finishedAt'),
  },
)

export interface AttemptRow {
  readonly project: number
  readonly webhook: number
  readonly position: number
  readonly number: number
  readonly at: number
  readonly httpStatus: number | null
  readonly error: AttemptError | null
  readonly durationMs: number
  readonly response: string | null
}

export const ATTEMPTS = table<AttemptRow>(
  { name: 'attempts', owner: 'issue', key: ['project', 'webhook', 'position', 'number'], lines: ['attempt'] },
  plain('project webhook position number at httpStatus error durationMs response'),
)

export const WEBHOOK_TABLES: readonly TableInfo[] = [WEBHOOKS, DELIVERIES, ATTEMPTS]
