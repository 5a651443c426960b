import { type Static, Type } from 'typebox'
import { EVENT_TYPES } from '../vocabulary/event-types.ts'
import { DEFAULT_FEED_SIZE, MAX_FEED_SIZE } from '../vocabulary/limits.ts'
import { Comment } from './issues/comments.ts'
import { answerObject, choice, nullable, timestamp } from './members.ts'
import { pageOf } from './pagination.ts'
import { Actor } from './people/actors.ts'

const MemberChange = answerObject(
  {
    member: Type.String({ description: 'The field of the issue that changed.' }),
    from: Type.Unsafe<unknown>({
      description:
        'The old value; `null` for a description, which is too long to store twice. For `known`, the title.',
    }),
    to: Type.Unsafe<unknown>({
      description: 'The new value; `null` for a description. For `known`, the title.',
    }),
  },
  { title: 'MemberChange', examples: [{ member: 'status', from: 'open', to: 'resolved' }] },
)
export type MemberChange = Static<typeof MemberChange>

export const EXAMPLE_EVENT = {
  position: 311,
  type: 'issue.regressed',
  createdAt: '2026-11-15T09:31:12.345Z',
  projectId: 'prj_01m8z3v9q8e1r8000000000000',
  issueId: 'iss_01m8z3v9q8e1r8m6n0p4s2t7wx',
  issueNumber: 42,
  actor: { kind: 'system', id: null, name: null },
  changes: [{ member: 'status', from: 'resolved', to: 'open' }],
  note: null,
  reason: '2.4.1 (512) is not older than the fix, 2.4.0 (498).',
  confirmed: true,
  comment: null,
}

/** An entry in the event log. */
export const Event = answerObject(
  {
    position: Type.Integer({
      description:
        "Its position in the project's log, counted among the events that you may see. Increases, with gaps.",
    }),
    type: choice(EVENT_TYPES, { description: 'What happened.' }),
    createdAt: timestamp({ description: 'When it happened.' }),
    projectId: Type.String({ description: 'The project.' }),
    issueId: nullable<string>('string', { description: 'The issue, if it is about one.' }),
    issueNumber: nullable<number>('integer', { description: 'Its number.' }),
    actor: Actor,
    changes: Type.Array(MemberChange, { description: 'What changed, field by field.' }),
    names: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        description: 'The current names of the people in `changes`, by id. Absent if there are none.',
      }),
    ),
    note: nullable<string>('string', { description: "The actor's comment." }),
    reason: nullable<string>('string', { description: 'Why the system did it, as a sentence.' }),
    confirmed: nullable<boolean>('boolean', {
      description:
        'For `issue.regressed`: `false` if the only sign of the regression is one report from a version that no earlier report came from. Webhooks do not receive such an event. The next report on the issue from that version or a later one writes `issue.regressed` again, with `true`. `null` for other events.',
    }),
    comment: Type.Unsafe<Comment | null>({
      anyOf: [Comment, { type: 'null' }],
      description:
        'For `comment.created` and `comment.updated`: the comment as it is now; `null` once it was deleted, for other events, and for callers without `issues:read`. `changes` has its id.',
    }),
  },
  {
    title: 'Event',
    examples: [EXAMPLE_EVENT],
  },
)
export type Event = Static<typeof Event>

export const EventPage = pageOf(Event, {
  title: 'EventPage',
  description: 'Entries of a history, oldest first.',
})
export type EventPage = Static<typeof EventPage>

/** Part of a project's log. */
export const EventFeed = answerObject(
  {
    data: Type.Array(Event, { description: 'The events, in the order they happened.' }),
    nextAfter: Type.Integer({ description: 'The value of `after` for the next request.' }),
    hasMore: Type.Boolean({ description: 'Whether there are more events right now.' }),
    reset: Type.Boolean({
      description:
        '`true` if events after `after` are no longer kept: your copy may be incomplete, so list the issues again.',
    }),
  },
  {
    title: 'EventFeed',
    examples: [{ data: [EXAMPLE_EVENT], nextAfter: 311, hasMore: false, reset: false }],
  },
)
export type EventFeed = Static<typeof EventFeed>

export const EventQuery = Type.Object(
  {
    projectId: Type.Optional(
      Type.String({ description: "The project's id or slug. Implied by a key that belongs to a project." }),
    ),
    after: Type.Optional(
      Type.Integer({
        minimum: 0,
        description:
          'Only events after this position. Without it a feed starts with the oldest event that is kept, a stream with the next new event.',
      }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_FEED_SIZE,
        default: DEFAULT_FEED_SIZE,
        description: 'The maximum number of events.',
      }),
    ),
    type: Type.Optional(
      Type.Array(choice(EVENT_TYPES, { description: 'A type.' }), {
        minItems: 1,
        description: 'Only events of these types. Separated by commas.',
      }),
    ),
  },
  { additionalProperties: false },
)
export type EventQuery = Static<typeof EventQuery>
