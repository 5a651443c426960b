import { type Static, type TSchema, Type } from 'typebox'
import { CATEGORIES } from '../vocabulary/categories.ts'
import { ISSUE_SORTS } from '../vocabulary/issue-sorts.ts'
import { ISSUE_STATUSES, type IssueStatus } from '../vocabulary/issue-status.ts'
import * as limits from '../vocabulary/limits.ts'
import { PRIORITIES } from '../vocabulary/priorities.ts'
import { answerObject, choice, nullable, timestamp } from './members.ts'
import { cursor, pageOf } from './pagination.ts'
import { ProjectParams } from './projects.ts'
import { EXAMPLE_ISSUE_ID, exampleRecord, record } from './submissions.ts'

export type FixedIn = { appVersion: string; buildNumber: string | null }
const FixedIn = Type.Unsafe<FixedIn | null>({
  type: ['object', 'null'],
  title: 'FixedIn',
  properties: {
    appVersion: { type: 'string', description: 'Its version.' },
    buildNumber: { type: ['string', 'null'], description: 'Its build number.' },
  },
  required: ['appVersion', 'buildNumber'],
  additionalProperties: false,
  description: 'The release that contains the fix, once it is known.',
})

/** What a list shows of an issue and a retrieval shows too. */
const shared = {
  ...record,
  projectId: Type.String({ description: 'The project it belongs to.' }),
  category: choice(CATEGORIES, { description: 'What kind of problem it is.' }),
  priority: choice(PRIORITIES, { description: 'How urgent it is.' }),
  appVersion: nullable<string>('string', { description: 'Version of the reporting application.' }),
  buildNumber: nullable<string>('string', { description: 'Build number of the reporting application.' }),
  osVersion: nullable<string>('string', { description: 'Operating system name and version.' }),
  deviceModel: nullable<string>('string', {
    description: 'Device model name; `null` for anonymous readers.',
  }),
  platform: nullable<string>('string', { description: 'Platform of the reporting device.' }),
  branch: nullable<string>('string', { description: 'Source branch of the reported build.' }),
  fingerprint: nullable<string>('string', { description: 'What further reports are recognised by.' }),
  occurredAt: nullable<string>('string', {
    format: 'date-time',
    description: 'When it happened, if the report said so.',
  }),
  reportCount: Type.Integer({ description: 'How many reports it has.' }),
  lastReportedAt: timestamp({ description: 'When the last of them arrived.' }),
  fixedIn: FixedIn,
  updatedAt: timestamp({ description: 'When it last changed.' }),
  version: Type.Integer({ description: 'Counts the changes made by people, not further reports.' }),
}

const exampleShared = {
  ...exampleRecord,
  projectId: 'prj_01m8z3v9q8e1r8000000000000',
  category: 'ui_ux',
  priority: 'medium',
  appVersion: '2.4.1',
  buildNumber: '512',
  osVersion: 'iOS 26.1',
  deviceModel: 'iPhone 17',
  platform: 'ios',
  branch: 'release/2.4',
  fingerprint: null,
  occurredAt: null,
  reportCount: 1,
  lastReportedAt: '2026-11-15T09:31:12.345Z',
  fixedIn: null,
  updatedAt: '2026-11-15T09:31:12.345Z',
  version: 1,
}

/** An issue in full. */
export const Issue = answerObject(
  {
    ...shared,
    description: nullable<string>('string', { description: 'Free text, as it was sent.' }),
    metadata: Type.Unsafe<Record<string, string | number | boolean> | null>({
      type: ['object', 'null'],
      additionalProperties: {
        type: ['string', 'number', 'boolean'],
        title: 'MetadataValue',
        description: "A value under a name of the reporter's own.",
      },
      description: 'What else the report said; `null` for anonymous readers.',
    }),
    sdk: Type.Unsafe<{ name: string; version: string } | null>({
      type: ['object', 'null'],
      title: 'ReportSdk',
      properties: {
        name: { type: 'string', description: 'Its name.' },
        version: { type: 'string', description: 'Its release.' },
      },
      required: ['name', 'version'],
      additionalProperties: false,
      description: 'What sent the report; `null` for anonymous readers.',
    }),
    submissionId: nullable<string>('string', {
      description: 'The id the client gave its first report; `null` for anonymous readers.',
    }),
    allowedTransitions: Type.Array(choice(ISSUE_STATUSES, { description: 'A status it may move to.' }), {
      description: 'Where it may move from here.',
    }),
  },
  {
    title: 'Issue',
    examples: [
      {
        ...exampleShared,
        description: '1. Open settings\n2. Nothing is drawn until the phone is turned',
        metadata: { locale: 'de-CH' },
        sdk: { name: '@bugle/sdk', version: '0.1.0' },
        submissionId: '0199a8f2-6f0c-7d53-a4b1-3f1f6c1f0a11',
        allowedTransitions: ['acknowledged', 'in_progress', 'resolved', 'closed', 'wontfix'],
      },
    ],
  },
)
export type Issue = Static<typeof Issue>

/** An issue in a list: without the long members, with an excerpt. */
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
  description: 'Some of the issues of a project.',
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

function listOf<T extends TSchema>(item: T, description: string) {
  return Type.Array(item, {
    minItems: 1,
    maxItems: limits.MAX_FILTER_VALUES,
    description: `${description} Separated by commas; a comma in a value is written \`\\,\`, a backslash \`\\\\\`.`,
  })
}

const projectId = Type.Optional(
  Type.String({ description: "The project's id or slug. Implied by a key that belongs to a project." }),
)

/** What a list can be narrowed by, besides the status. */
const filters = {
  category: Type.Optional(
    listOf(choice(CATEGORIES, { description: 'A category.' }), 'Only issues of one of these categories.'),
  ),
  priority: Type.Optional(
    listOf(choice(PRIORITIES, { description: 'A priority.' }), 'Only issues with one of these priorities.'),
  ),
  platform: Type.Optional(listOf(Type.String({ minLength: 1 }), 'Only issues from one of these platforms.')),
  appVersion: Type.Optional(listOf(Type.String({ minLength: 1 }), 'Only issues from one of these versions.')),
  branch: Type.Optional(listOf(Type.String({ minLength: 1 }), 'Only issues from one of these branches.')),
  q: Type.Optional(
    Type.String({
      maxLength: limits.MAX_SEARCH_CHARS,
      description:
        'Full text over title and description: words, beginnings of words (`set*`) and "phrases", all of which must occur. Nothing is a syntax error.',
      examples: ['blank "settings screen"'],
    }),
  ),
  createdAfter: Type.Optional(timestamp({ description: 'Only issues made at this moment or later.' })),
  createdBefore: Type.Optional(timestamp({ description: 'Only issues made before this moment.' })),
}

export const IssueQuery = Type.Object(
  {
    projectId,
    status: Type.Optional(
      listOf(choice(ISSUE_STATUSES, { description: 'A status.' }), 'Only issues with one of these statuses.'),
    ),
    ...filters,
    sort: Type.Optional(
      choice(ISSUE_SORTS, {
        description:
          '`newest` and `oldest` by number, `updated` by the last change, `reports` by how many there are, `priority` from critical to low.',
      }),
    ),
    page: Type.Optional(
      Type.Integer({ minimum: 1, default: 1, description: 'The page, from 1. Not together with `cursor`.' }),
    ),
    pageSize: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: limits.MAX_PAGE_SIZE,
        default: limits.DEFAULT_PAGE_SIZE,
        description: 'How many rows a page has.',
      }),
    ),
    cursor: Type.Optional(
      cursor({ description: 'Continues after the response that returned it, with the same filters.' }),
    ),
  },
  { additionalProperties: false },
)
export type IssueQuery = Static<typeof IssueQuery>

export const IssueCountQuery = Type.Object({ projectId, ...filters }, { additionalProperties: false })
export type IssueCountQuery = Static<typeof IssueCountQuery>

/** How many issues match, by status. */
export const IssueCounts = answerObject(
  {
    total: nullable<number>('integer', {
      description: 'How many match in all; `null` if one of the statuses is `null`.',
    }),
    byStatus: Type.Unsafe<Record<IssueStatus, number | null>>({
      type: 'object',
      properties: Object.fromEntries(
        ISSUE_STATUSES.map((status) => [
          status,
          {
            type: ['integer', 'null'],
            description: `How many of them are ${status}; \`null\` if that is unknown.`,
          },
        ]),
      ),
      required: [...ISSUE_STATUSES],
      additionalProperties: false,
      description: `How many match, by status. Exact, or \`null\` where more than ${limits.MAX_EXAMINED_ROWS} issues would have to be examined.`,
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
