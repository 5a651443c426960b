import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'

const SECRET_BYTES = 32

export type WebhookSecret = `whsec_${string}`

export interface Unsigned {
  /** The same for every attempt to deliver the same event, so that receivers can recognise repeats. */
  readonly id: string
  /** The time of the attempt in milliseconds: receivers refuse messages older than five minutes. */
  readonly timestamp: number
  readonly body: string
  /** All secrets that are currently valid: more than one while a secret is being replaced. */
  readonly secrets: readonly string[]
}

export type SignatureHeaders = Readonly<
  Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>
>

/** The headers with which a receiver verifies the sender, as defined by Standard Webhooks: one signature for each secret. */
export function signWebhook({ id, timestamp, body, secrets }: Unsigned): SignatureHeaders {
  const signatures = secrets.map((secret) => new Webhook(secret).sign(id, new Date(timestamp), body))
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(timestamp / 1_000)),
    'webhook-signature': signatures.join(' '),
  }
}

/** A new secret to share with the receiver. */
export function mintWebhookSecret(): WebhookSecret {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`
}
