import type { Attempt, Delivery, DeliveryDetail, Webhook } from '@bugle/contract'
import type { EventRecord } from '../../model/events.ts'
import type { WebhookId } from '../../model/ids.ts'
import { type Lane, positionFor } from '../../model/lanes.ts'
import {
  type AttemptRecord,
  type DeliveryHistory,
  type DeliveryRecord,
  lanesOfWebhook,
  type WebhookRecord,
} from '../../model/webhooks.ts'
import { isoTime } from '../iso-time.ts'

/** A webhook, without its secrets. */
export function showWebhook(webhook: WebhookRecord, pendingDeliveries: number): Webhook {
  return {
    id: webhook.id,
    projectId: webhook.projectId,
    name: webhook.name,
    url: webhook.url,
    eventTypes: webhook.eventTypes && [...webhook.eventTypes],
    includeSecurity: webhook.includeSecurity,
    format: webhook.format,
    status: webhook.status,
    pausedReason: webhook.pausedReason,
    createdAt: isoTime(webhook.createdAt),
    updatedAt: isoTime(webhook.updatedAt),
    lastSuccessAt: isoTimeOrNull(webhook.lastSuccessAt),
    failingSince: isoTimeOrNull(webhook.failingSince),
    pendingDeliveries,
  }
}

/** The context of a delivery: its webhook, and the lanes that the caller sees. */
export interface DeliveryView {
  readonly webhook: Pick<WebhookRecord, 'id' | 'includeSecurity'>
  readonly lanes: readonly Lane[]
}

export function showDelivery(delivery: DeliveryRecord, { webhook, lanes }: DeliveryView): Delivery {
  return {
    position: positionFor(lanes, delivery),
    eventType: delivery.eventType,
    messageId: messageIdOf(webhook.id, {
      position: positionFor(lanesOfWebhook(webhook), delivery),
      createdAt: delivery.eventAt,
    }),
    status: delivery.status,
    createdAt: isoTime(delivery.createdAt),
    nextAttemptAt: isoTimeOrNull(delivery.nextAttemptAt),
    finishedAt: isoTimeOrNull(delivery.finishedAt),
    attemptCount: delivery.attemptCount,
  }
}

export function showDeliveryDetail(delivery: DeliveryHistory, view: DeliveryView): DeliveryDetail {
  return { ...showDelivery(delivery, view), attempts: delivery.attempts.map(showAttempt) }
}

export function showAttempt({ number, at, status, error, durationMs, response }: AttemptRecord): Attempt {
  return {
    attemptNumber: number,
    attemptedAt: isoTime(at),
    httpStatus: status,
    error,
    durationMs,
    response,
  }
}

/**
 * The `webhook-id` of a message: the same for every attempt, so that receivers can recognise repeats. If a failover loses
 * commits, another event gets the same position later; its time distinguishes the two.
 */
export function messageIdOf(
  webhookId: WebhookId,
  { position, createdAt }: Pick<EventRecord, 'position' | 'createdAt'>,
): string {
  return `${messagePrefix(webhookId)}_${position}_${createdAt.toString(36)}`
}

/** The `webhook-id` of a message that is not an event. */
export function testMessageIdOf(webhookId: WebhookId, now: number): string {
  return `${messagePrefix(webhookId)}_test_${now}`
}

function messagePrefix(webhookId: WebhookId): string {
  return `msg_${webhookId.slice('whk_'.length)}`
}

function isoTimeOrNull(time: number | null): string | null {
  return time === null ? null : isoTime(time)
}
