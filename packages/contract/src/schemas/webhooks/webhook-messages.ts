import { type Static, Type } from 'typebox'
import { EVENT_TYPES } from '../../vocabulary/event-types.ts'
import { CATEGORIES, ISSUE_STATUSES, PRIORITIES } from '../../vocabulary/issues.ts'
import { WEBHOOK_TEST } from '../../vocabulary/webhooks.ts'
import { Event, EXAMPLE_EVENT } from '../events.ts'
import { EXAMPLE_ISSUE_ID } from '../issues/submissions.ts'
import { answerObject, choice, timestamp } from '../members.ts'

const WebhookProject = answerObject(
  {
    id: Type.String({ description: 'Unique identifier.' }),
    name: Type.String({ description: 'Display name.' }),
    slug: Type.String({ description: 'URL-safe short name.' }),
  },
  { title: 'WebhookProject', description: 'The project.' },
)
export type WebhookProject = Static<typeof WebhookProject>

const IssueBrief = answerObject(
  {
    id: Type.String({ description: 'Unique identifier.' }),
    issueNumber: Type.Integer({ description: 'Sequential number within the project.' }),
    title: Type.String({ description: 'Short summary of the problem.' }),
    status: choice(ISSUE_STATUSES, { description: 'The status of the issue.' }),
    category: choice(CATEGORIES, { description: 'What kind of problem it is.' }),
    priority: choice(PRIORITIES, { description: 'How urgent it is.' }),
    reportCount: Type.Integer({ description: 'The number of its reports.' }),
  },
  { title: 'IssueBrief', description: 'An issue as it is when the message is sent.' },
)
export type IssueBrief = Static<typeof IssueBrief>

const EXAMPLE_PROJECT = {
  id: 'prj_01m8z3v9q8e1r8000000000000',
  name: 'Weather for iOS',
  slug: 'weather-ios',
}
const EXAMPLE_ISSUE = {
  id: EXAMPLE_ISSUE_ID,
  issueNumber: 42,
  title: 'Settings screen stays blank',
  status: 'open',
  category: 'ui_ux',
  priority: 'medium',
  reportCount: 7,
}

/** The body that webhooks of the format `standard` receive for an event. */
export const WebhookMessage = answerObject(
  {
    type: choice(EVENT_TYPES, { description: 'What happened; the same as `data.type`.' }),
    timestamp: timestamp({ description: 'When it happened; the same as `data.createdAt`.' }),
    data: answerObject(
      {
        ...Event.properties,
        project: WebhookProject,
        issue: Type.Unsafe<IssueBrief | null>({
          anyOf: [IssueBrief, { type: 'null' }],
          description: 'The issue; `null` if the event has no issue, or the issue was deleted.',
        }),
      },
      { title: 'WebhookEvent', description: 'The event, with its project and its issue.' },
    ),
  },
  {
    title: 'WebhookMessage',
    description: 'An event, in the format that Standard Webhooks recommends.',
    examples: [
      {
        type: EXAMPLE_EVENT.type,
        timestamp: EXAMPLE_EVENT.createdAt,
        data: { ...EXAMPLE_EVENT, project: EXAMPLE_PROJECT, issue: EXAMPLE_ISSUE },
      },
    ],
  },
)
export type WebhookMessage = Static<typeof WebhookMessage>

/** The body of a message requested with `testWebhook`. */
export const WebhookTestMessage = answerObject(
  {
    type: choice([WEBHOOK_TEST], { description: 'Identifies a test message.' }),
    timestamp: timestamp({ description: 'When it was sent.' }),
    data: answerObject(
      { project: WebhookProject },
      { title: 'WebhookTest', description: 'The project of the webhook.' },
    ),
  },
  {
    title: 'WebhookTestMessage',
    description: 'A test message. It is not part of the event log.',
    examples: [
      { type: WEBHOOK_TEST, timestamp: '2026-11-15T09:31:12.345Z', data: { project: EXAMPLE_PROJECT } },
    ],
  },
)
export type WebhookTestMessage = Static<typeof WebhookTestMessage>

/** The body that webhooks of the format `slack` receive, for events and tests alike. */
export const SlackMessage = answerObject(
  {
    text: Type.String({ description: 'One line, for notifications.' }),
    blocks: Type.Optional(
      Type.Array(Type.Unsafe<object>({ type: 'object' }), {
        description: 'The same text with a link, as Block Kit.',
      }),
    ),
  },
  {
    title: 'SlackMessage',
    description: 'A message for an incoming webhook of Slack.',
    examples: [{ text: 'Test message: Bugle can post to this channel.' }],
  },
)
export type SlackMessage = Static<typeof SlackMessage>
