import { type Static, Type } from 'typebox'
import {
  CATEGORIES,
  type Category,
  ISSUE_STATUSES,
  type IssueStatus,
  PRIORITIES,
  type Priority,
} from '../../vocabulary/issues.ts'
import * as limits from '../../vocabulary/limits.ts'
import { AttachmentCounts } from '../issues/attachments.ts'
import { answerObject, nullable, timestamp } from '../members.ts'

const count = (description: string) => Type.Integer({ minimum: 0, description })

function countsOf<T extends string>(values: readonly T[], description: string) {
  return Type.Unsafe<Record<T, number>>({
    type: 'object',
    properties: Object.fromEntries(
      values.map((value) => [value, { type: 'integer', description: `How many are ${value}.` }]),
    ),
    required: [...values],
    additionalProperties: false,
    description,
  })
}

const ValueCount = answerObject(
  {
    value: Type.String({
      description: `The value. At most ${limits.MAX_COUNTED_VALUES} are counted by name, the others together as \`${limits.OTHER_VALUE}\`.`,
    }),
    count: count('How many.'),
    includesRest: Type.Boolean({
      description: `Whether the count may include values that are not counted by name. Always \`false\` except for \`${limits.OTHER_VALUE}\`, which can also be a regular value.`,
    }),
  },
  { title: 'ValueCount', examples: [{ value: 'ios', count: 12, includesRest: false }] },
)

const ranking = (what: string) =>
  Type.Unsafe<Static<typeof ValueCount>[] | null>({
    type: ['array', 'null'],
    items: ValueCount,
    description: `${what}: the ten most frequent; \`null\` for anonymous readers.`,
  })

const Duration = answerObject(
  {
    medianSeconds: nullable<number>('integer', {
      description: 'The median, to two digits; `null` if there is no data.',
    }),
    count: count('The number of issues it is based on.'),
  },
  { title: 'Duration', examples: [{ medianSeconds: 5_400, count: 31 }] },
)

const Day = answerObject(
  {
    date: Type.String({ format: 'date', description: 'The day, in UTC.' }),
    created: count('Issues created that day.'),
    resolved: count('Issues resolved for the first time that day.'),
    reports: count('Reports that arrived that day.'),
  },
  { title: 'Day', examples: [{ date: '2026-11-15', created: 4, resolved: 2, reports: 9 }] },
)

const Intake = answerObject(
  {
    received: count('All submissions with a key of the project; the sum of the others.'),
    stored: count('Submissions that became an issue.'),
    joined: count('Submissions that joined an existing issue.'),
    replayed: count('Repeated submissions, which got the first response again.'),
    refused: Type.Unsafe<Record<string, number>>({
      type: 'object',
      additionalProperties: { type: 'integer' },
      description: 'Submissions that were refused, by error code.',
    }),
    limited: count('Submissions over the rate limit.'),
    skipped: Type.Unsafe<Record<string, number> | null>({
      type: ['object', 'null'],
      additionalProperties: { type: 'integer' },
      description:
        "What Sentry's SDKs sent and is not kept, by kind, such as `transaction`; `null` for anonymous readers.",
    }),
  },
  {
    title: 'Intake',
    description: 'The outcome of every submission.',
    examples: [
      {
        received: 15,
        stored: 9,
        joined: 3,
        replayed: 1,
        refused: { 'validation-failed': 1 },
        limited: 1,
        skipped: { transaction: 2 },
      },
    ],
  },
)

const none = <T extends string>(values: readonly T[]) =>
  Object.fromEntries(values.map((value) => [value, 0])) as Record<T, number>

export const ProjectStats = answerObject(
  {
    projectId: Type.String({ description: 'The project.' }),
    generatedAt: timestamp({ description: 'When these figures were read.' }),
    days: Type.Integer({ description: 'The number of days in `series`.' }),
    from: nullable<string>('string', {
      format: 'date-time',
      description: 'The start of the requested period; `null` if none was requested.',
    }),
    to: nullable<string>('string', {
      format: 'date-time',
      description: 'The end of the period; `null` if none was requested.',
    }),
    totals: answerObject(
      { issues: count('All issues.'), reports: count('All reports.'), open: count('Issues that are open.') },
      { title: 'Totals', examples: [{ issues: 12, reports: 40, open: 5 }] },
    ),
    byStatus: countsOf<IssueStatus>(ISSUE_STATUSES, 'Issues by status.'),
    byCategory: countsOf<Category>(CATEGORIES, 'Issues by category.'),
    byPriority: countsOf<Priority>(PRIORITIES, 'Issues by priority.'),
    byPlatform: Type.Array(ValueCount, { description: 'Issues by platform, most frequent first.' }),
    byAppVersion: Type.Array(ValueCount, { description: 'Issues by version: the ten most frequent.' }),
    byOsVersion: ranking('Issues by operating system'),
    byDeviceModel: ranking('Issues by device model'),
    byBranch: ranking('Issues by branch'),
    byLabel: ranking('Issues by label'),
    byAssignee: ranking('Issues by assignee (the id of a person)'),
    series: Type.Array(Day, {
      description: 'One entry per day, ending today or, with `to`, at the end of the period.',
    }),
    timeToAcknowledge: Duration,
    timeToResolve: Duration,
    intake: Intake,
    attachments: Type.Unsafe<AttachmentCounts | null>({
      anyOf: [AttachmentCounts, { type: 'null' }],
      description: `Files of reports, up to the newest ${limits.MAX_COUNTED_ATTACHMENTS}; \`null\` for anonymous readers.`,
    }),
    sampledIssues: nullable<number>('integer', {
      description:
        'With `createdWithinDays` or `from`: how many issues were counted, if there are more in the period; `null` if all of them were.',
    }),
  },
  {
    title: 'ProjectStats',
    description:
      'Read from counters that are updated with each write, so it is as fast for ten million issues as for ten.',
    examples: [
      {
        projectId: 'prj_01m8z3v9q8e1r8000000000000',
        generatedAt: '2026-11-15T09:31:12.345Z',
        days: 1,
        from: null,
        to: null,
        totals: { issues: 12, reports: 40, open: 5 },
        byStatus: { ...none(ISSUE_STATUSES), open: 5, resolved: 7 },
        byCategory: { ...none(CATEGORIES), bug: 12 },
        byPriority: { ...none(PRIORITIES), medium: 12 },
        byPlatform: [{ value: 'ios', count: 12, includesRest: false }],
        byAppVersion: [{ value: '2.4.1', count: 12, includesRest: false }],
        byOsVersion: [{ value: 'iOS 26.1', count: 9, includesRest: false }],
        byDeviceModel: [{ value: 'iPhone 17', count: 7, includesRest: false }],
        byBranch: [{ value: 'main', count: 12, includesRest: false }],
        byLabel: [{ value: 'needs design', count: 3, includesRest: false }],
        byAssignee: [{ value: 'usr_01m8z3v9q8e1r8m6n0p4s2t7wx', count: 4, includesRest: false }],
        series: [{ date: '2026-11-15', created: 4, resolved: 2, reports: 9 }],
        timeToAcknowledge: { medianSeconds: 5_400, count: 7 },
        timeToResolve: { medianSeconds: 86_000, count: 7 },
        intake: {
          received: 15,
          stored: 9,
          joined: 3,
          replayed: 1,
          refused: { 'validation-failed': 1 },
          limited: 1,
          skipped: {},
        },
        attachments: { received: 40, pending: 2 },
        sampledIssues: null,
      },
    ],
  },
)
export type ProjectStats = Static<typeof ProjectStats>

export const StatsQuery = Type.Object(
  {
    days: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: limits.MAX_STATS_DAYS,
        default: limits.DEFAULT_STATS_DAYS,
        description: 'The number of days in the series.',
      }),
    ),
    createdWithinDays: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: limits.MAX_STATS_DAYS,
        description: `Count only issues created in the last N days, including today: in \`totals\`, in the counts by status, category, priority, platform and version, and in both durations. Needs a key or a session. Based on the newest ${limits.MAX_PERIOD_ISSUES} issues at most; see \`sampledIssues\`.`,
      }),
    ),
    from: Type.Optional(
      timestamp({
        description: `Count only issues created at this time or later, like \`createdWithinDays\`; the series has the days from here to \`to\`, ${limits.MAX_STATS_DAYS} at most. Needs a key or a session. Cannot be combined with \`days\` and \`createdWithinDays\`.`,
      }),
    ),
    to: Type.Optional(
      timestamp({
        description: 'Count only issues created before this time; by default, now. Needs `from`.',
      }),
    ),
  },
  { additionalProperties: false },
)
