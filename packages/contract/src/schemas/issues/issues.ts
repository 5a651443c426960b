import { type Static, type TSchema, Type } from 'typebox'
import { CONVERSATION_STATES, type ConversationState } from '../../vocabulary/conversations.ts'
import {
  ASSIGNED_TO_ME,
  CATEGORIES,
  ISSUE_SORTS,
  ISSUE_STATUSES,
  type IssueStatus,
  PRIORITIES,
  SPAM_DAYS,
  UNASSIGNED,
} from '../../vocabulary/issues.ts'
import * as limits from '../../vocabulary/limits.ts'
import { answerObject, choice, nullable, type Release, release, timestamp } from '../members.ts'
import { cursor, pageOf } from '../pagination.ts'
import { ProjectParams } from '../projects/projects.ts'
import {
  exampleListedValues,
  exampleUnlistedValues,
  listedIssueValues,
  unlistedIssueValues,
} from './report-values.ts'
import { EXAMPLE_ISSUE_ID, exampleRecord, record } from './submissions.ts'

export type FixedIn = Release
const FixedIn = release('FixedIn', 'The release that contains the fix, once it is known.')

/** The fields that both a list and a single issue show. */
const shared = {
  ...record,
  projectId: Type.String({ description: 'The project it belongs to.' }),
  category: choice(CATEGORIES, { description: 'What kind of problem it is.' }),
  priority: choice(PRIORITIES, { description: 'How urgent it is.' }),
  ...listedIssueValues,
  fingerprint: nullable<string>('string', { description: 'Identifies further reports of the same problem.' }),
  reportCount: Type.Integer({ description: 'The number of its reports, with those of its duplicates.' }),
  reporterCount: nullable<number>('integer', {
    description: `The number of different people among its reports that name a \`reporter\` with an id or an email address; counted up to ${limits.MAX_COUNTED_REPORTERS}. \`null\` for anonymous readers.`,
  }),
  lastReportedAt: timestamp({ description: 'When the last report arrived, of it or of a duplicate.' }),
  fixedIn: FixedIn,
  assigneeId: nullable<string>('string', {
    description:
      'The person who works on it, as in `GET /v1/projects/{idOrSlug}/people`; `null` if no one does, and for anonymous readers.',
  }),
  labels: Type.Unsafe<string[] | null>({
    type: ['array', 'null'],
    items: { type: 'string', description: 'The name of a label.' },
    description: 'The names of its labels, in alphabetical order; `null` for anonymous readers.',
  }),
  commentCount: nullable<number>('integer', {
    description: 'The number of comments on it; `null` for anonymous readers.',
  }),
  duplicateOf: nullable<string>('string', {
    description:
      'The id of the issue that it is a duplicate of; `null` if it is not a duplicate, and for anonymous readers.',
  }),
  duplicateCount: nullable<number>('integer', {
    description: 'The number of its duplicates; `null` for anonymous readers.',
  }),
  conversation: Type.Unsafe<ConversationState | null>({
    type: ['string', 'null'],
    enum: [...CONVERSATION_STATES, null],
    description:
      'Who is expected to write next. `waiting-for-reporter`: the last entry is a reply to reporters. `waiting-for-team`: it is a message from a reporter. `null` if there is no conversation or the reporter was blocked, and for anonymous readers.',
  }),
  firstSeenIn: release(
    'FirstSeenIn',
    'The release of the first report; `null` if it named no version, and for anonymous readers.',
  ),
  lastSeenIn: release(
    'LastSeenIn',
    'The release of the last report that named a version; `null` if none did, and for anonymous readers.',
  ),
  onDefaultBranch: nullable<boolean>('boolean', {
    description:
      "`true` if a report came from the project's default branch, `false` if reports came only from other branches, `null` if no report named a branch, and for anonymous readers.",
  }),
  attachmentState: Type.Unsafe<'received' | 'pending' | null>({
    type: ['string', 'null'],
    enum: ['received', 'pending', null],
    description:
      '`received` if its reports have files, `pending` if they declared files and none has been received yet; `null` if it has no files, and for anonymous readers.',
  }),
  spamAt: nullable<string>('string', {
    format: 'date-time',
    description: `When it was marked as spam; it is deleted ${SPAM_DAYS} days later. \`null\` if it was not, and for anonymous readers.`,
  }),
  updatedAt: timestamp({ description: 'When it last changed.' }),
  version: Type.Integer({
    description: 'Increases with every change and regression, but not with further reports.',
  }),
}

const exampleShared = {
  ...exampleRecord,
  projectId: 'prj_01m8z3v9q8e1r8000000000000',
  category: 'ui_ux',
  priority: 'medium',
  ...exampleListedValues,
  fingerprint: null,
  reportCount: 1,
  reporterCount: 1,
  lastReportedAt: '2026-11-15T09:31:12.345Z',
  fixedIn: null,
  assigneeId: 'usr_01m8z3v9q8e1r8m6n0p4s2t7wx',
  labels: ['needs design'],
  commentCount: 2,
  duplicateOf: null,
  duplicateCount: 0,
  conversation: 'waiting-for-reporter',
  firstSeenIn: { appVersion: '2.4.1', buildNumber: '512' },
  lastSeenIn: { appVersion: '2.4.1', buildNumber: '512' },
  onDefaultBranch: false,
  attachmentState: 'received',
  spamAt: null,
  updatedAt: '2026-11-15T09:31:12.345Z',
  version: 1,
}

/** An issue in full. */
export const Issue = answerObject(
  {
    ...shared,
    description: nullable<string>('string', { description: 'Free text, as submitted.' }),
    ...unlistedIssueValues,
    submissionId: nullable<string>('string', {
      description: "The client's id of the first report; `null` for anonymous readers.",
    }),
    known: Type.Unsafe<{ title: string; text: string } | null>({
      type: ['object', 'null'],
      title: 'Known',
      properties: {
        title: { type: 'string', description: 'The title that reporters read.' },
        text: { type: 'string', description: 'What is known about it; it may be empty.' },
      },
      required: ['title', 'text'],
      additionalProperties: false,
      description:
        'What is published about it as a known issue; `null` if it is not published, and for anonymous readers.',
    }),
    allowedTransitions: Type.Array(
      choice(ISSUE_STATUSES, { description: 'A status that it may change to.' }),
      {
        description: 'The statuses that it may change to: none while it is a duplicate.',
      },
    ),
  },
  {
    title: 'Issue',
    examples: [
      {
        ...exampleShared,
        description: '1. Open settings\n2. Nothing is drawn until the phone is turned',
        ...exampleUnlistedValues,
        submissionId: '0199a8f2-6f0c-7d53-a4b1-3f1f6c1f0a11',
        known: { title: 'The settings are blank', text: 'Turn the phone once.' },
        allowedTransitions: ['acknowledged', 'in_progress', 'resolved', 'closed', 'wontfix'],
      },
    ],
  },
)
export type Issue = Static<typeof Issue>

/** An issue in a list: without the long fields, with an excerpt. */
export const IssueListItem = answerObject(
  {
    ...shared,
    excerpt: nullable<string>('string', {
      description: `The first ${limits.EXCERPT_CHARS} characters of the description.`,
    }),
  },
  {
    title: 'IssueListItem',
    examples: [
      { ...exampleShared, excerpt: '1. Open settings\n2. Nothing is drawn until the phone is turned' },
    ],
  },
)
export type IssueListItem = Static<typeof IssueListItem>

export const IssuePage = pageOf(IssueListItem, {
  title: 'IssuePage',
  description: 'A page of issues.',
})
export type IssuePage = Static<typeof IssuePage>

export const IssueParams = Type.Object(
  { id: Type.String({ description: "The issue's id.", examples: [EXAMPLE_ISSUE_ID] }) },
  { additionalProperties: false },
)

export const IssueNumberParams = Type.Object(
  {
    ...ProjectParams.properties,
    issueNumber: Type.String({
      description: "The issue's number within the project.",
      examples: ['295'],
    }),
  },
  { additionalProperties: false },
)

/** How a list is written in a query string. */
const IN_QUERY = ' Separated by commas; a comma in a value is written `\\,`, a backslash `\\\\`.'

const projectId = Type.Optional(
  Type.String({ description: "The project's id or slug. Implied by a key that belongs to a project." }),
)

const projectIds = Type.Optional(
  Type.String({
    description:
      "The project's id or slug. Implied by a key that belongs to a project; without it, other callers list all of their projects.",
  }),
)

const TEAM_ONLY = 'Needs a key or a session.'

/** The filters of a list. `hint` says how lists of values are written. */
function filtersWith(hint: string) {
  const listOf = <T extends TSchema>(item: T, description: string) =>
    Type.Array(item, {
      minItems: 1,
      maxItems: limits.MAX_FILTER_VALUES,
      description: `${description}${hint}`,
    })
  const status = Type.Optional(
    listOf(choice(ISSUE_STATUSES, { description: 'A status.' }), 'Only issues with one of these statuses.'),
  )
  const others = {
    category: Type.Optional(
      listOf(choice(CATEGORIES, { description: 'A category.' }), 'Only issues of one of these categories.'),
    ),
    priority: Type.Optional(
      listOf(choice(PRIORITIES, { description: 'A priority.' }), 'Only issues with one of these priorities.'),
    ),
    platform: Type.Optional(
      listOf(Type.String({ minLength: 1 }), 'Only issues from one of these platforms.'),
    ),
    appVersion: Type.Optional(
      listOf(Type.String({ minLength: 1 }), 'Only issues from one of these versions.'),
    ),
    branch: Type.Optional(listOf(Type.String({ minLength: 1 }), 'Only issues from one of these branches.')),
    osVersion: Type.Optional(
      listOf(Type.String({ minLength: 1 }), `Only issues from one of these operating systems. ${TEAM_ONLY}`),
    ),
    deviceModel: Type.Optional(
      listOf(Type.String({ minLength: 1 }), `Only issues from one of these device models. ${TEAM_ONLY}`),
    ),
    buildNumber: Type.Optional(
      listOf(Type.String({ minLength: 1 }), `Only issues from one of these builds. ${TEAM_ONLY}`),
    ),
    fingerprint: Type.Optional(
      listOf(Type.String({ minLength: 1 }), `Only issues with one of these fingerprints. ${TEAM_ONLY}`),
    ),
    assignee: Type.Optional(
      listOf(
        Type.String({ pattern: `^(?:${ASSIGNED_TO_ME}|${UNASSIGNED}|usr_[0-9a-z]{26})$` }),
        `Only issues assigned to one of these people: an id, \`${ASSIGNED_TO_ME}\` for the person who is signed in, or \`${UNASSIGNED}\` for issues without an assignee. ${TEAM_ONLY}`,
      ),
    ),
    label: Type.Optional(
      listOf(Type.String({ minLength: 1 }), `Only issues with one of these labels. ${TEAM_ONLY}`),
    ),
    reporter: Type.Optional(
      listOf(
        Type.String({ minLength: 1 }),
        `Only issues that one of these people has reported: the \`id\` or the \`email\` of a \`reporter\`. ${TEAM_ONLY}`,
      ),
    ),
    conversation: Type.Optional(
      listOf(
        choice(CONVERSATION_STATES, { description: 'Who is expected to write next.' }),
        `Only issues where this side is expected to write next: the last entry of the conversation is a reply to reporters, or a message from one. ${TEAM_ONLY}`,
      ),
    ),
    onDefaultBranch: Type.Optional(
      Type.Boolean({
        description: `\`true\`: only issues that were seen on the default branch; \`false\`: only issues that were seen exclusively on other branches. ${TEAM_ONLY}`,
      }),
    ),
    spam: Type.Optional(
      Type.Boolean({
        description: `\`true\`: only issues that were marked as spam, which other lists do not contain. ${TEAM_ONLY}`,
      }),
    ),
    q: Type.Optional(
      Type.String({
        maxLength: limits.MAX_SEARCH_CHARS,
        description:
          'Full text over title and description: words, prefixes (`set*`) and "phrases", all of which must match. Any input is valid.',
        examples: ['blank "settings screen"'],
      }),
    ),
    createdAfter: Type.Optional(timestamp({ description: 'Only issues created at this time or later.' })),
    createdBefore: Type.Optional(timestamp({ description: 'Only issues created before this time.' })),
    updatedAfter: Type.Optional(
      timestamp({ description: `Only issues last changed at this time or later. ${TEAM_ONLY}` }),
    ),
    updatedBefore: Type.Optional(
      timestamp({ description: `Only issues last changed before this time. ${TEAM_ONLY}` }),
    ),
  }
  return { status, others }
}

const inQuery = filtersWith(IN_QUERY)
const inBody = filtersWith('')

export const IssueQuery = Type.Object(
  {
    projectId: projectIds,
    status: inQuery.status,
    ...inQuery.others,
    sort: Type.Optional(
      choice(ISSUE_SORTS, {
        description:
          '`newest` and `oldest` by number, `updated` by the last change, `reports` by the number of reports, `priority` from critical to low. The default is `newest`; across projects it is `updated`, and `newest` and `oldest` are not available.',
      }),
    ),
    page: Type.Optional(
      Type.Integer({
        minimum: 1,
        default: 1,
        description: 'The page, starting at 1. Cannot be combined with `cursor`.',
      }),
    ),
    pageSize: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: limits.MAX_PAGE_SIZE,
        default: limits.DEFAULT_PAGE_SIZE,
        description: 'The number of items per page.',
      }),
    ),
    cursor: Type.Optional(
      cursor({ description: 'Continues after the response that returned it, with the same filters.' }),
    ),
  },
  { additionalProperties: false },
)
export type IssueQuery = Static<typeof IssueQuery>

export const IssueCountQuery = Type.Object({ projectId, ...inQuery.others }, { additionalProperties: false })
export type IssueCountQuery = Static<typeof IssueCountQuery>

/** The filters of a list in a body. */
export const IssueFilter = Type.Object(
  { status: inBody.status, ...inBody.others },
  {
    additionalProperties: false,
    title: 'IssueFilter',
    description: 'The filters of `GET /v1/issues`, with lists as arrays. All of them must match.',
  },
)
export type IssueFilter = Static<typeof IssueFilter>

/** The number of matching issues, by status. */
export const IssueCounts = answerObject(
  {
    total: nullable<number>('integer', {
      description: 'The total number of matches; `null` if one of the statuses is `null`.',
    }),
    byStatus: Type.Unsafe<Record<IssueStatus, number | null>>({
      type: 'object',
      properties: Object.fromEntries(
        ISSUE_STATUSES.map((status) => [
          status,
          {
            type: ['integer', 'null'],
            description: `How many are ${status}; \`null\` if unknown.`,
          },
        ]),
      ),
      required: [...ISSUE_STATUSES],
      additionalProperties: false,
      description: `The number of matches by status. Exact, or \`null\` if more than ${limits.MAX_EXAMINED_ROWS} issues would have to be examined.`,
    }),
  },
  {
    title: 'IssueCounts',
    examples: [
      {
        total: 12,
        byStatus: { open: 5, acknowledged: 0, in_progress: 0, resolved: 7, closed: 0, wontfix: 0 },
      },
    ],
  },
)
export type IssueCounts = Static<typeof IssueCounts>
