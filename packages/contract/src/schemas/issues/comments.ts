import { type Static, Type } from 'typebox'
import { COMMENT_AUDIENCES, COMMENT_ID_PATTERN, DEFAULT_COMMENT_AUDIENCE } from '../../vocabulary/comments.ts'
import {
  MAX_COMMENT_CHARS,
  MAX_COMMENT_ID_CHARS,
  MAX_ID_CHARS,
  MAX_MENTIONS,
} from '../../vocabulary/limits.ts'
import {
  answerObject,
  choice,
  nullable,
  optional,
  optionalChoice,
  requiredText,
  timestamp,
} from '../members.ts'
import { CursorQuery, pageOf } from '../pagination.ts'
import { Actor } from '../people/actors.ts'
import { USER_EXAMPLE } from '../people/users.ts'
import { CommentAttachment, commentAttachments, EXAMPLE_ATTACHMENT } from './attachments.ts'
import { IssueParams } from './issues.ts'
import { EXAMPLE_ISSUE_ID } from './submissions.ts'

const EXAMPLE_COMMENT_ID = '0199a8f2-7c11-7e0a-9d42-5a1be07f3c90'
const { issueId: _, reportNumber: __, omittedReason: ___, ...EXAMPLE_FILE } = EXAMPLE_ATTACHMENT

const Mention = answerObject(
  {
    id: Type.String({ description: "The person's id." }),
    name: Type.String({ description: 'The name as it is written in the text, without the `@`.' }),
  },
  { title: 'Mention', description: 'A person who is named in a comment.' },
)

/** What a member of the team or a reporter wrote about an issue. */
export const Comment = answerObject(
  {
    id: Type.String({ description: 'The `commentId` that it was created with, unique within the issue.' }),
    issueId: Type.String({ description: 'The issue.' }),
    text: Type.String({
      description:
        'The text, as written. Clients may show it as a subset of Markdown; it is untrusted and never HTML.',
    }),
    audience: choice(COMMENT_AUDIENCES, {
      description:
        'Who can read it. `team`: the team, and the reporter who wrote it. `reporters`: also the reporters that it is addressed to.',
    }),
    reportNumber: nullable<number>('integer', {
      description:
        'The report that it is about: a reply to the reporter of this report, or a message from them. `null`: a reply to all reporters, or a comment for the team.',
    }),
    author: Actor,
    mentions: Type.Array(Mention, {
      description: `The people whom the text names as \`@name\` and who could see the issue when it was written: at most ${MAX_MENTIONS}.`,
    }),
    attachments: Type.Array(CommentAttachment, { description: 'Its files, in the order they were added.' }),
    createdAt: timestamp({ description: 'When it was written.' }),
    editedAt: nullable<string>('string', {
      format: 'date-time',
      description: 'When its text or its files were last changed; `null` if they never were.',
    }),
  },
  {
    title: 'Comment',
    examples: [
      {
        id: EXAMPLE_COMMENT_ID,
        issueId: EXAMPLE_ISSUE_ID,
        text: 'The layout pass is skipped, as in #17. @Ada can you look?',
        audience: 'team',
        reportNumber: null,
        author: { kind: 'user', id: 'usr_01m8z3v9q8e1r8m6n0p4s2t7wy', name: 'Grace' },
        mentions: [{ id: USER_EXAMPLE.id, name: USER_EXAMPLE.name }],
        attachments: [EXAMPLE_FILE],
        createdAt: '2026-11-15T09:31:12.345Z',
        editedAt: null,
      },
    ],
  },
)
export type Comment = Static<typeof Comment>

export const CommentPage = pageOf(Comment, {
  title: 'CommentPage',
  description:
    'Comments on an issue, oldest first. A page with long texts may have fewer items than `pageSize`.',
})
export type CommentPage = Static<typeof CommentPage>

const text = requiredText(MAX_COMMENT_CHARS, {
  description: 'The text. `@name` mentions a person who can see the issue, by their full name.',
})

export const CommentCreation = Type.Object(
  {
    commentId: Type.String({
      minLength: 1,
      maxLength: MAX_COMMENT_ID_CHARS,
      pattern: COMMENT_ID_PATTERN,
      description:
        'Created by the client, for example a UUID. The same id with the same content is stored once and gets the same comment each time.',
    }),
    text,
    audience: optionalChoice(COMMENT_AUDIENCES, {
      description: 'Who can read it.',
      absent: DEFAULT_COMMENT_AUDIENCE,
    }),
    reportId: optional<string>({
      type: ['string', 'null'],
      maxLength: MAX_ID_CHARS,
      description:
        'For the audience `reporters`: only the reporter of this report can read it. If absent, everyone who has reported the issue so far.',
    }),
    attachments: commentAttachments,
  },
  {
    additionalProperties: false,
    title: 'CommentCreation',
    examples: [
      { commentId: EXAMPLE_COMMENT_ID, text: 'The layout pass is skipped, as in #17. @Ada can you look?' },
    ],
  },
)
export type CommentCreation = Static<typeof CommentCreation>

export const CommentPatch = Type.Object(
  { text: Type.Optional(text), attachments: commentAttachments },
  {
    additionalProperties: false,
    title: 'CommentPatch',
    examples: [{ text: 'The layout pass is skipped, as in #18.' }],
  },
)
export type CommentPatch = Static<typeof CommentPatch>

export const CommentParams = Type.Object(
  {
    ...IssueParams.properties,
    commentId: Type.String({ description: "The comment's id.", examples: [EXAMPLE_COMMENT_ID] }),
  },
  { additionalProperties: false },
)

export const CommentUploadParams = Type.Object(
  {
    ...CommentParams.properties,
    sha256: Type.String({ description: 'The digest that the comment declared.' }),
  },
  { additionalProperties: false },
)

export const CommentQuery = CursorQuery
export type CommentQuery = Static<typeof CommentQuery>
