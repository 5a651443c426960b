/** What a webhook is sent: the event as Standard Webhooks recommends it, or a message for a channel of Slack. */
export const WEBHOOK_FORMATS = ['standard', 'slack'] as const
export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number]
export const DEFAULT_WEBHOOK_FORMAT: WebhookFormat = 'standard'

export const WEBHOOK_STATUSES = ['active', 'paused'] as const
export type WebhookStatus = (typeof WEBHOOK_STATUSES)[number]

/** `dropped`: the issue has left the sight of the webhook before it was told. */
export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed', 'dropped'] as const
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]

/** Why an attempt did not succeed. */
export const ATTEMPT_ERRORS = [
  'refused-destination',
  'dns',
  'connection-refused',
  'unreachable',
  'tls',
  'reset',
  'timeout',
  'invalid-answer',
  'redirect',
  'unsuccessful-status',
  'failed',
] as const
export type AttemptError = (typeof ATTEMPT_ERRORS)[number]

/** The type of a message that is sent on request, to try a webhook; it is no event of the log. */
export const WEBHOOK_TEST = 'webhook.test'
