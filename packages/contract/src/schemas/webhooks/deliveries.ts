import { type Static, Type } from 'typebox'
import { EVENT_TYPES } from '../../vocabulary/event-types.ts'
import { ATTEMPT_ERRORS, type AttemptError, DELIVERY_STATUSES } from '../../vocabulary/webhooks.ts'
import { answerObject, choice, nullable, timestamp } from '../members.ts'
import { pageOf } from '../pagination.ts'

const members = {
  position: Type.Integer({
    description: "The position of the event in the project's log, as visible to you.",
  }),
  eventType: choice(EVENT_TYPES, { description: 'What happened.' }),
  messageId: Type.String({ description: 'The `webhook-id` of every attempt.' }),
  status: choice(DELIVERY_STATUSES, {
    description:
      '`failed` after the last attempt of the schedule; `dropped` if the issue became a security issue.',
  }),
  createdAt: timestamp({ description: 'When it was created.' }),
  nextAttemptAt: nullable<string>('string', {
    format: 'date-time',
    description: 'When the next attempt is due; `null` if there is none.',
  }),
  finishedAt: nullable<string>('string', {
    format: 'date-time',
    description: 'When it was delivered, dropped or marked as failed.',
  }),
  attemptCount: Type.Integer({ description: 'The number of attempts.' }),
}

const EXAMPLE = {
  position: 311,
  eventType: 'issue.regressed',
  messageId: 'msg_01m8z3v9q8e1r8m6n0p4s2t7wx_311_mi0f3k2w',
  status: 'pending',
  createdAt: '2026-11-15T09:31:12.400Z',
  nextAttemptAt: '2026-11-15T09:31:18.012Z',
  finishedAt: null,
  attemptCount: 1,
}

/** The delivery of one event to one webhook. */
export const Delivery = answerObject(members, { title: 'Delivery', examples: [EXAMPLE] })
export type Delivery = Static<typeof Delivery>

export const DeliveryPage = pageOf(Delivery, {
  title: 'DeliveryPage',
  description: 'Some deliveries, newest event first. They are kept for 14 days.',
})
export type DeliveryPage = Static<typeof DeliveryPage>

const ATTEMPT_EXAMPLE = {
  attemptNumber: 1,
  attemptedAt: '2026-11-15T09:31:12.512Z',
  httpStatus: 503,
  error: 'unsuccessful-status',
  durationMs: 231,
  response: 'upstream is starting',
}

/** One request that was sent to a webhook, and its result. */
export const Attempt = answerObject(
  {
    attemptNumber: Type.Integer({ description: 'Starts at 1.' }),
    attemptedAt: timestamp({ description: 'When it was sent.' }),
    httpStatus: nullable<number>('integer', { description: 'The status of the response, if there was one.' }),
    error: Type.Unsafe<AttemptError | null>({
      type: ['string', 'null'],
      enum: [...ATTEMPT_ERRORS, null],
      description: 'Why it failed; `null` for a 2xx response.',
    }),
    durationMs: Type.Integer({ description: 'How long it took, in milliseconds.' }),
    response: nullable<string>('string', { description: 'The first KiB of the response.' }),
  },
  {
    title: 'Attempt',
    examples: [ATTEMPT_EXAMPLE],
  },
)
export type Attempt = Static<typeof Attempt>

export const DeliveryDetail = answerObject(
  { ...members, attempts: Type.Array(Attempt, { description: 'Every attempt, oldest first.' }) },
  { title: 'DeliveryDetail', examples: [{ ...EXAMPLE, attempts: [ATTEMPT_EXAMPLE] }] },
)
export type DeliveryDetail = Static<typeof DeliveryDetail>

export const DeliveryParams = Type.Object(
  {
    id: Type.String({
      description: "The webhook's id (`whk_…`).",
      examples: ['whk_01m8z3v9q8e1r8m6n0p4s2t7wx'],
    }),
    position: Type.String({ description: "The event's position.", examples: ['311'] }),
  },
  { additionalProperties: false },
)
