import type { Clock } from '../clock.ts'
import { testMessageIdOf } from '../domain/webhooks/webhook-views.ts'
import type { WebhookGateway } from '../domain/webhooks/webhooks.ts'
import { type Guard, judgeUrl } from '../outbound/guard-destination.ts'
import type { Messenger } from '../outbound/messenger.ts'
import { mintWebhookSecret } from '../outbound/sign-webhook.ts'
import { targetOf } from './send-claim.ts'

interface WebhookGatewayDependencies {
  readonly guard: Guard
  readonly clock: Clock
  readonly messenger: Messenger
  /** Aborts messages that are still being sent. */
  readonly signal: AbortSignal
}

/** The outgoing requests that the webhook rules need. */
export function createWebhookGateway({
  guard,
  clock,
  messenger,
  signal,
}: WebhookGatewayDependencies): WebhookGateway {
  return {
    judgeUrl: (url) => judgeUrl(url, guard.exceptions)?.detail,
    mintSecret: mintWebhookSecret,
    sendTest(webhook, { id, name, slug }) {
      const now = clock()
      return messenger.sendTest({
        target: targetOf(webhook, now),
        id: testMessageIdOf(webhook.id, now),
        project: { id, name, slug },
        signal,
      })
    },
  }
}
