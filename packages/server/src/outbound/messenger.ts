import { WEBHOOK_TEST, type WebhookFormat } from '@bugle/contract'
import type { Clock } from '../clock.ts'
import { formatSlack, formatStandard, type Notice } from './format-webhook.ts'
import type { Guard } from './guard-destination.ts'
import { sendWebhook, type WebhookAttempt } from './send-webhook.ts'
import { signWebhook } from './sign-webhook.ts'

/** The destination, format and secrets of a message. */
export interface Target {
  readonly url: string
  readonly format: WebhookFormat
  /** The secrets that sign at this time. */
  readonly secrets: readonly string[]
}

interface Message {
  readonly target: Target
  /** The `webhook-id`. */
  readonly id: string
  /** Aborts sending when the time is up. */
  readonly signal?: AbortSignal
}

/** Formats, signs and sends messages. Failures are part of the result. */
export interface Messenger {
  sendNotice(message: Message & { readonly notice: Notice }): Promise<WebhookAttempt>
  /** Sends a test message, which is not an event. */
  sendTest(message: Message & { readonly project: Notice['project'] }): Promise<WebhookAttempt>
}

interface MessengerDependencies {
  readonly guard: Guard
  readonly clock: Clock
  /** How long a receiver has to respond. */
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
  slack: () => JSON.stringify({ text: 'Test message: Bugle can post to this channel.' }),
}
