import { WEBHOOK_TEST, type WebhookFormat } from '@bugle/contract'
import type { Clock } from '../clock.ts'
import { formatSlack, formatStandard, type Notice } from './format-webhook.ts'
import type { Guard } from './guard-destination.ts'
import { sendWebhook, type WebhookAttempt } from './send-webhook.ts'
import { signWebhook } from './sign-webhook.ts'

/** Where a message goes, how it looks, and who vouches for it. */
export interface Target {
  readonly url: string
  readonly format: WebhookFormat
  /** All that sign now. */
  readonly secrets: readonly string[]
}

interface Message {
  readonly target: Target
  /** The `webhook-id`. */
  readonly id: string
  /** Ends the sending when there is no more time for it. */
  readonly signal?: AbortSignal
}

/** Formats, signs and sends messages. Whatever goes wrong out there is in the answer. */
export interface Messenger {
  sendNotice(message: Message & { readonly notice: Notice }): Promise<WebhookAttempt>
  /** Sends something that is no event, to see whether it arrives. */
  sendTest(message: Message & { readonly project: Notice['project'] }): Promise<WebhookAttempt>
}

interface MessengerDependencies {
  readonly guard: Guard
  readonly clock: Clock
  /** How long a receiver has to answer. */
  readonly timeoutMs: number
}

export function createMessenger({ guard, clock, timeoutMs }: MessengerDependencies): Messenger {
  function send({ target, id, signal }: Message, body: string): Promise<WebhookAttempt> {
    const { url, secrets } = target
    const headers = signWebhook({ id, timestamp: clock(), body, secrets })
    return sendWebhook({ url, headers, body, timeoutMs, ...(signal && { signal }) }, guard, clock)
  }

  return {
    sendNotice: ({ notice, ...message }) => send(message, FORMATS[message.target.format](notice)),
    sendTest: ({ project, ...message }) =>
      send(message, TEST_FORMATS[message.target.format](project, clock())),
  }
}

const FORMATS: Readonly<Record<WebhookFormat, (notice: Notice) => string>> = {
  standard: formatStandard,
  slack: formatSlack,
}

const TEST_FORMATS: Readonly<Record<WebhookFormat, (project: Notice['project'], now: number) => string>> = {
  standard: (project, now) =>
    JSON.stringify({ type: WEBHOOK_TEST, timestamp: new Date(now).toISOString(), data: { project } }),
  slack: () => JSON.stringify({ text: 'A test: Bugle reaches this channel.' }),
}
