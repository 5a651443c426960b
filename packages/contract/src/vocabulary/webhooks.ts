/** The format of messages: as Standard Webhooks recommends, or for a Slack channel. */
export const WEBHOOK_FORMATS = ['standard', 'slack'] as const
export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number]
export const DEFAULT_WEBHOOK_FORMAT: WebhookFormat = 'standard'

export const WEBHOOK_STATUSES = ['active', 'paused'] as const
export type WebhookStatus = (typeof WEBHOOK_STATUSES)[number]

/** `dropped`: the webhook was no longer allowed to see the issue. */
export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed', 'dropped'] as const
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]

/** Why an attempt failed. */
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

/** The type of a test message, which is sent on request and is not part of the event log. */
export const WEBHOOK_TEST = 'webhook.test'
