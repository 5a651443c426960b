/** The kinds of entries in the event log. */
export const EVENT_TYPES = [
  'issue.created',
  'issue.reported',
  'issue.updated',
  'issue.status_changed',
  'issue.regressed',
  'issue.deleted',
  'webhook.paused',
  'webhook.resumed',
] as const
export type EventType = (typeof EVENT_TYPES)[number]
