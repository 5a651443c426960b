import { type Static, Type } from 'typebox'
import { COMMENT_ID_PATTERN } from '../../vocabulary/comments.ts'
import { REPORTER_SECRET_PATTERN } from '../../vocabulary/conversations.ts'
import { ISSUE_STATUSES } from '../../vocabulary/issues.ts'
import * as limits from '../../vocabulary/limits.ts'
import { answerObject, choice, nullable, release, requiredText, timestamp } from '../members.ts'

const EXAMPLE_REPORT_ID = 'rep_06dg2c4q0xg0n8v0a5k9m3r7tw'
const EXAMPLE_MESSAGE_ID = '0199a8f2-7c11-7e0a-9d42-5a1be07f3c91'

/** The header that identifies the reporter. */
export const ReporterSecret = Type.String({
  pattern: REPORTER_SECRET_PATTERN,
  description:
    'The secret of the reporter: 32 random bytes in base64url, created by the client. An unknown one is a reporter without reports.',
})

const EXAMPLE_REPORT = {
  id: EXAMPLE_REPORT_ID,
  title: 'Settings stay blank',
  status: 'in_progress',
  receivedAt: '2026-11-15T09:31:12.345Z',
  fixedIn: null,
  replyCount: 1,
  unreadCount: 1,
  lastReplyAt: '2026-11-15T10:02:40.120Z',
}

const EXAMPLE_MESSAGE = {
  id: EXAMPLE_MESSAGE_ID,
  from: 'team',
  text: 'Which phone do you use?',
  createdAt: '2026-11-15T10:02:40.120Z',
  editedAt: null,
}

/** A report as its reporter sees it. */
export const MyReport = answerObject(
  {
    id: Type.String({ description: 'Identifies the report. It starts with `rep_`.' }),
    title: nullable<string>('string', {
      description: 'The title, as submitted with this report; `null` if it is no longer kept.',
    }),
    status: choice(ISSUE_STATUSES, { description: 'The status of the problem.' }),
    receivedAt: timestamp({ description: 'When the report arrived.' }),
    fixedIn: release(
      'MyFixedIn',
      'The release that contains the fix; `null` if it is not known, or the issue is not resolved.',
    ),
    replyCount: Type.Integer({ description: 'The number of replies that the reporter can read.' }),
    unreadCount: Type.Integer({ description: 'How many of them they have not read yet.' }),
    lastReplyAt: nullable<string>('string', {
      format: 'date-time',
      description: 'When the last reply was written; `null` if there is none.',
    }),
  },
  {
    title: 'MyReport',
    examples: [EXAMPLE_REPORT],
  },
)
export type MyReport = Static<typeof MyReport>

export const MyReportList = answerObject(
  {
    data: Type.Array(MyReport, {
      description: `The newest ${limits.MAX_MY_REPORTS} reports of the reporter, newest first.`,
    }),
  },
  { title: 'MyReportList', examples: [{ data: [EXAMPLE_REPORT] }] },
)
export type MyReportList = Static<typeof MyReportList>

/** An entry of the conversation about a report, as its reporter sees it. */
export const Message = answerObject(
  {
    id: Type.String({ description: 'Identifies the message. Own ones have the id that the client chose.' }),
    from: choice(['reporter', 'team'], { description: 'Who wrote it.' }),
    text: Type.String({
      description:
        'The text, as written. Clients may show it as a subset of Markdown; it is untrusted and never HTML.',
    }),
    createdAt: timestamp({ description: 'When it was written.' }),
    editedAt: nullable<string>('string', {
      format: 'date-time',
      description: 'When its text was last changed; `null` if it never was.',
    }),
  },
  {
    title: 'Message',
    examples: [EXAMPLE_MESSAGE],
  },
)
export type Message = Static<typeof Message>

export const MessageList = answerObject(
  {
    data: Type.Array(Message, {
      description: `The newest ${limits.MAX_SHOWN_MESSAGES} messages, oldest first. If they are long, fewer.`,
    }),
    hasEarlier: Type.Boolean({ description: 'Whether earlier messages were left out.' }),
  },
  { title: 'MessageList', examples: [{ data: [EXAMPLE_MESSAGE], hasEarlier: false }] },
)
export type MessageList = Static<typeof MessageList>

const messageId = Type.String({
  minLength: 1,
  maxLength: limits.MAX_MESSAGE_ID_CHARS,
  pattern: COMMENT_ID_PATTERN,
  description:
    'Created by the client, for example a UUID. The same id with the same text is stored once and gets the same response each time.',
})

export const MessageCreation = Type.Object(
  { messageId, text: requiredText(limits.MAX_MESSAGE_CHARS, { description: 'The text.' }) },
  {
    additionalProperties: false,
    title: 'MessageCreation',
    examples: [{ messageId: EXAMPLE_MESSAGE_ID, text: 'A Pixel 9, with the large font.' }],
  },
)
export type MessageCreation = Static<typeof MessageCreation>

export const ReadMark = Type.Object(
  {
    messageId: Type.String({
      minLength: 1,
      maxLength: limits.MAX_COMMENT_ID_CHARS,
      pattern: COMMENT_ID_PATTERN,
      description: 'The last reply that the reporter has read: it and all earlier ones count as read.',
    }),
  },
  { additionalProperties: false, title: 'ReadMark', examples: [{ messageId: EXAMPLE_MESSAGE_ID }] },
)
export type ReadMark = Static<typeof ReadMark>

export const MyReportParams = Type.Object(
  { reportId: Type.String({ description: "The report's id.", examples: [EXAMPLE_REPORT_ID] }) },
  { additionalProperties: false },
)
