import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'

const SECRET_BYTES = 32

export type WebhookSecret = `whsec_${string}`

export interface Unsigned {
  /** The same for every attempt to deliver the same event: receivers tell repeats by it. */
  readonly id: string
  /** The time of the attempt in milliseconds: receivers refuse what is older than five minutes. */
  readonly timestamp: number
  readonly body: string
  /** All that are valid now: more than one while a secret is being replaced. */
  readonly secrets: readonly string[]
}

export type SignatureHeaders = Readonly<
  Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>
>

/** The headers by which a receiver knows the sender, as Standard Webhooks has them: one signature for each secret. */
export function signWebhook({ id, timestamp, body, secrets }: Unsigned): SignatureHeaders {
  const signatures = secrets.map((secret) => new Webhook(secret).sign(id, new Date(timestamp), body))
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(timestamp / 1_000)),
    'webhook-signature': signatures.join(' '),
  }
}

/** A new secret, to be shared with the receiver. */
export function mintWebhookSecret(): WebhookSecret {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`
}
