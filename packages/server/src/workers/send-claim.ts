import type { Event } from '@bugle/contract'
import type { Clock } from '../clock.ts'
import type { EventViews } from '../domain/events/event-views.ts'
import { messageIdOf } from '../domain/webhooks/webhook-views.ts'
import { secretsAt } from '../model/decisions/change-webhook.ts'
import { type AttemptResult, type Claim, lanesOfWebhook, type WebhookRecord } from '../model/webhooks.ts'
import type { Notice } from '../outbound/format-webhook.ts'
import type { Messenger, Target } from '../outbound/messenger.ts'

/** Makes one attempt to send a claimed delivery. */
export type SendClaim = (claim: Claim, signal: AbortSignal) => Promise<AttemptResult>

interface SendDependencies {
  readonly messenger: Messenger
  readonly clock: Clock
  readonly eventViews: EventViews
  /** The address of the dashboard; `null` if unknown. */
  readonly baseUrl: string | null
}

export function createSendClaim({ messenger, clock, eventViews, baseUrl }: SendDependencies): SendClaim {
  return async (claim, signal) => {
    const { webhook, event, project } = claim
    const shown = await eventViews.show(event, { projectId: project.id, lanes: lanesOfWebhook(webhook) })
    return messenger.sendNotice({
      target: targetOf(webhook, clock()),
      id: messageIdOf(webhook.id, { position: shown.position, createdAt: event.createdAt }),
      notice: noticeOf(claim, shown, baseUrl),
      signal,
    })
  }
}

/** The destination of a webhook's messages at a given time. */
export function targetOf({ url, format, secrets }: WebhookRecord, now: number): Target {
  return { url, format, secrets: secretsAt(secrets, now).map(({ secret }) => secret) }
}

function noticeOf({ issue, project }: Claim, event: Event, baseUrl: string | null): Notice {
  return {
    event,
    issue: issue && {
      id: issue.id,
      issueNumber: issue.issueNumber,
      title: issue.title,
      status: issue.status,
      category: issue.category,
      priority: issue.priority,
      reportCount: issue.reportCount,
    },
    project,
    baseUrl,
  }
}
