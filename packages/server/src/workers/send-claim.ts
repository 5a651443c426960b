import type { Clock } from '../clock.ts'
import { secretsAt } from '../domain/decisions/change-webhook.ts'
import { showEvent } from '../domain/event-views.ts'
import { messageIdOf } from '../domain/webhook-views.ts'
import type { Notice } from '../outbound/format-webhook.ts'
import type { Messenger, Target } from '../outbound/messenger.ts'
import type { AttemptResult, Claim, WebhookRecord } from '../storage/records/webhooks.ts'

/** Makes one attempt to deliver what was claimed. */
export type SendClaim = (claim: Claim, signal: AbortSignal) => Promise<AttemptResult>

interface SendParts {
  readonly messenger: Messenger
  readonly clock: Clock
  /** Where people find the dashboard; `null` if that is not known. */
  readonly baseUrl: string | null
}

export function createSendClaim({ messenger, clock, baseUrl }: SendParts): SendClaim {
  return (claim, signal) =>
    messenger.sendNotice({
      target: targetOf(claim.webhook, clock()),
      id: messageIdOf(claim.webhook.id, claim.event.position),
      notice: noticeOf(claim, baseUrl),
      signal,
    })
}

/** Where the messages of a webhook go at a moment. */
export function targetOf({ url, format, secrets }: WebhookRecord, now: number): Target {
  return { url, format, secrets: secretsAt(secrets, now).map(({ secret }) => secret) }
}

function noticeOf({ event, issue, project }: Claim, baseUrl: string | null): Notice {
  return {
    event: showEvent(event, project.id),
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
