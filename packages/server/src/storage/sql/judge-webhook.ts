import { pauseWebhook, type WebhookDecision } from '../../domain/decisions/change-webhook.ts'
import type { AttemptVerdict } from '../../domain/decisions/judge-delivery.ts'
import type { AttemptOrder, WebhookRecord } from '../webhook-records.ts'

/** What an attempt makes of its webhook: it notes success and failure, and may pause it. */
export function judgeWebhook(
  webhook: WebhookRecord,
  { failingSince, pausedReason }: AttemptVerdict,
  { now, result }: AttemptOrder,
): WebhookDecision {
  const lastSuccessAt = result.error === null ? now : webhook.lastSuccessAt
  const tried = { ...webhook, failingSince, lastSuccessAt }
  if (pausedReason === null || webhook.status === 'paused') return { webhook: tried, event: null }
  return pauseWebhook({ ...tried, updatedAt: now }, pausedReason)
}
