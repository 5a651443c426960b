import { type Static, Type } from 'typebox'
import { EVENT_TYPES, type EventType } from '../../vocabulary/event-types.ts'
import { MAX_WEBHOOK_NAME_CHARS, MAX_WEBHOOK_URL_CHARS } from '../../vocabulary/limits.ts'
import { DEFAULT_WEBHOOK_FORMAT, WEBHOOK_FORMATS, WEBHOOK_STATUSES } from '../../vocabulary/webhooks.ts'
import {
  answerObject,
  choice,
  nullable,
  optional,
  optionalChoice,
  optionalText,
  timestamp,
} from '../members.ts'
import { CursorQuery, pageOf } from '../pagination.ts'

const members = {
  id: Type.String({ description: 'Unique identifier.' }),
  projectId: Type.String({ description: 'The project whose events it receives.' }),
  name: nullable<string>('string', { description: 'Its name.' }),
  url: Type.String({ description: 'Where events are sent.' }),
  eventTypes: Type.Unsafe<EventType[] | null>({
    type: ['array', 'null'],
    items: { type: 'string', enum: [...EVENT_TYPES], description: 'A type.' },
    description: 'The types of events it receives; `null` for all.',
  }),
  includeSecurity: Type.Boolean({
    description:
      'Whether it receives events of security issues. Such a webhook is visible only with `security:read`.',
  }),
  format: choice(WEBHOOK_FORMATS, { description: 'The format of the messages.' }),
  status: choice(WEBHOOK_STATUSES, {
    description: 'While it is `paused`, nothing is sent and nothing is lost.',
  }),
  pausedReason: nullable<string>('string', { description: 'Why it is paused, as a sentence.' }),
  createdAt: timestamp({ description: 'When it was created.' }),
  updatedAt: timestamp({ description: 'When it was last changed.' }),
  lastSuccessAt: nullable<string>('string', {
    format: 'date-time',
    description: 'When it last accepted an event.',
  }),
  failingSince: nullable<string>('string', {
    format: 'date-time',
    description: 'Since when every attempt has failed.',
  }),
  pendingDeliveries: Type.Integer({
    description: 'The number of pending deliveries, at most about 1,000; further events wait in the log.',
  }),
}

const EXAMPLE = {
  id: 'whk_01m8z3v9q8e1r8m6n0p4s2t7wx',
  projectId: 'prj_01m8z3v9q8e1r8000000000000',
  name: 'Team channel',
  url: 'https://hooks.example.com/bugle',
  eventTypes: ['issue.created', 'issue.regressed'],
  includeSecurity: false,
  format: 'standard',
  status: 'active',
  pausedReason: null,
  createdAt: '2026-11-15T09:30:00.000Z',
  updatedAt: '2026-11-15T09:30:00.000Z',
  lastSuccessAt: '2026-11-15T09:31:12.345Z',
  failingSince: null,
  pendingDeliveries: 0,
}

/** An endpoint that receives events. */
export const Webhook = answerObject(members, { title: 'Webhook', examples: [EXAMPLE] })
export type Webhook = Static<typeof Webhook>

/** A webhook with the secret that signs its messages: shown only when it is created. */
export const WebhookWithSecret = answerObject(
  {
    ...members,
    secret: Type.String({
      description: 'Signs the messages (Standard Webhooks). Shown only in this response.',
    }),
  },
  {
    title: 'WebhookWithSecret',
    examples: [{ ...EXAMPLE, secret: 'whsec_K7ck7yu0GkVqQ8u1L0xWn3b2mYp9sR4tZ6aE5dH1fJo=' }],
  },
)
export type WebhookWithSecret = Static<typeof WebhookWithSecret>

export const WebhookPage = pageOf(Webhook, {
  title: 'WebhookPage',
  description: 'Some webhooks, oldest first.',
})
export type WebhookPage = Static<typeof WebhookPage>

/** An absolute URL, as far as a pattern can tell. Its destination is checked separately. */
export const WEBHOOK_URL_PATTERN = '^[Hh][Tt][Tt][Pp][Ss]?://[^\\s\\u0000-\\u001f\\u007f]+$'

const url = Type.String({
  minLength: 1,
  maxLength: MAX_WEBHOOK_URL_CHARS,
  pattern: WEBHOOK_URL_PATTERN,
  description: 'Where to send events: https, and not a private network unless the operator allows it.',
})
const name = optionalText(MAX_WEBHOOK_NAME_CHARS, { description: 'A name.' })
const eventTypes = optional<EventType[]>({
  type: ['array', 'null'],
  items: { type: 'string', title: 'EventType', enum: [...EVENT_TYPES], description: 'A type of event.' },
  minItems: 1,
  uniqueItems: true,
  description: 'The types of events to send; `null` for all.',
})

export const WebhookCreation = Type.Object(
  {
    projectId: optional<string>({
      type: ['string', 'null'],
      description: "The project's id or slug. Implied by a key that belongs to a project.",
    }),
    url,
    name,
    eventTypes,
    includeSecurity: optional<boolean>({
      type: ['boolean', 'null'],
      description: 'Also send events of security issues; needs `security:read`. If absent: `false`.',
    }),
    format: optionalChoice(WEBHOOK_FORMATS, {
      description: 'The format of the messages.',
      absent: DEFAULT_WEBHOOK_FORMAT,
    }),
  },
  {
    additionalProperties: false,
    title: 'WebhookCreation',
    examples: [{ url: 'https://hooks.example.com/bugle', eventTypes: ['issue.created', 'issue.regressed'] }],
  },
)
export type WebhookCreation = Static<typeof WebhookCreation>

/** A merge patch (RFC 7396): only the fields to change. */
export const WebhookPatch = Type.Object(
  {
    url: Type.Optional(url),
    name,
    eventTypes,
    includeSecurity: Type.Optional(
      Type.Boolean({ description: 'Also send events of security issues; needs `security:read`.' }),
    ),
    format: Type.Optional(choice(WEBHOOK_FORMATS, { description: 'The format of the messages.' })),
    status: Type.Optional(
      choice(WEBHOOK_STATUSES, {
        description: '`paused` stops sending; `active` resumes and catches up.',
      }),
    ),
  },
  { additionalProperties: false, title: 'WebhookPatch', examples: [{ status: 'active' }] },
)
export type WebhookPatch = Static<typeof WebhookPatch>

export const WebhookParams = Type.Object(
  {
    id: Type.String({
      description: "The webhook's id (`whk_…`).",
      examples: ['whk_01m8z3v9q8e1r8m6n0p4s2t7wx'],
    }),
  },
  { additionalProperties: false },
)

export const WebhookQuery = Type.Object(
  {
    projectId: Type.Optional(
      Type.String({ description: "The project's id or slug. Implied by a key that belongs to a project." }),
    ),
    ...CursorQuery.properties,
  },
  { additionalProperties: false },
)
export type WebhookQuery = Static<typeof WebhookQuery>
