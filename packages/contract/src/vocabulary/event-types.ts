/** The kinds of entries in the event log. */
export const EVENT_TYPES = [
  'issue.created',
  'issue.reported',
  'issue.updated',
  'issue.status_changed',
  'issue.regressed',
  'issue.deleted',
  'issue.marked_as_spam',
  'issue.unmarked_as_spam',
  'attachment.received',
  'comment.created',
  'comment.updated',
  'comment.deleted',
  'reporter.blocked',
  'reporter.unblocked',
  'webhook.paused',
  'webhook.resumed',
] as const
/** What a live stream sends instead of an event when the events to resume from are no longer kept. */
export const STREAM_RESET = 'stream.reset'

export type EventType = (typeof EVENT_TYPES)[number]
