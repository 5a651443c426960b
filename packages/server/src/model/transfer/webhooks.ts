import {
  ATTEMPT_ERRORS,
  DELIVERY_STATUSES,
  EVENT_TYPES,
  MAX_WEBHOOK_NAME_CHARS,
  MAX_WEBHOOK_URL_CHARS,
  WEBHOOK_FORMATS,
  WEBHOOK_STATUSES,
} from '@bugle/contract/vocabulary'
import { Type } from 'typebox'
import {
  choice,
  count,
  id,
  MAX_LIST_ITEMS,
  MAX_OTHER_CHARS,
  object,
  orNull,
  position,
  positiveInteger,
  text,
  time,
} from './values.ts'

/** The webhooks of a project, with their deliveries and attempts. */
export const WEBHOOK_LINES = {
  webhook: object({
    number: positiveInteger,
    id: id('whk'),
    name: orNull(text(MAX_WEBHOOK_NAME_CHARS)),
    url: text(MAX_WEBHOOK_URL_CHARS),
    eventTypes: orNull(Type.Array(choice(EVENT_TYPES), { maxItems: MAX_LIST_ITEMS })),
    includeSecurity: Type.Boolean(),
    format: choice(WEBHOOK_FORMATS),
    status: choice(WEBHOOK_STATUSES),
    pausedReason: orNull(text(MAX_OTHER_CHARS)),
    secrets: Type.Array(object({ secret: text(MAX_OTHER_CHARS), until: orNull(time) }), {
      maxItems: MAX_LIST_ITEMS,
    }),
    position,
    createdAt: time,
    updatedAt: time,
    lastSuccessAt: orNull(time),
    failingSince: orNull(time),
  }),
  delivery: object({
    webhook: positiveInteger,
    position,
    status: choice(DELIVERY_STATUSES),
    createdAt: time,
    nextAttemptAt: orNull(time),
    leasedUntil: orNull(time),
    finishedAt: orNull(time),
    attempts: count,
    seriesAttempts: count,
  }),
  attempt: object({
    webhook: positiveInteger,
    position,
    number: positiveInteger,
    at: time,
    httpStatus: orNull(count),
    error: orNull(choice(ATTEMPT_ERRORS)),
    durationMs: count,
    response: orNull(text(MAX_OTHER_CHARS)),
  }),
}
