import { type Static, Type } from 'typebox'
import { CATEGORIES, type Category } from '../vocabulary/categories.ts'
import { ISSUE_STATUSES, type IssueStatus } from '../vocabulary/issue-status.ts'
import * as limits from '../vocabulary/limits.ts'
import { PRIORITIES, type Priority } from '../vocabulary/priorities.ts'
import { answerObject, nullable, timestamp } from './members.ts'

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
      description: 'The value. Values beyond the thousandth are counted together, as `other`.',
    }),
    count: count('How many.'),
    includesRest: Type.Boolean({
      description:
        'Whether the count may include values beyond the thousandth. Always `false` except for `other`, which is otherwise a value like any.',
    }),
  },
  { title: 'ValueCount', examples: [{ value: 'ios', count: 12, includesRest: false }] },
)

const Duration = answerObject(
  {
    medianSeconds: nullable<number>('integer', {
      description: 'Half took less, to two digits; `null` while there is none.',
    }),
    count: count('How many issues it is taken from.'),
  },
  { title: 'Duration', examples: [{ medianSeconds: 5_400, count: 31 }] },
)

const Day = answerObject(
  {
    date: Type.String({ format: 'date', description: 'The day, in UTC.' }),
    created: count('Issues made that day.'),
    resolved: count('Issues resolved for the first time that day.'),
    reports: count('Reports that arrived that day.'),
  },
  { title: 'Day', examples: [{ date: '2026-11-15', created: 4, resolved: 2, reports: 9 }] },
)

const Intake = answerObject(
  {
    received: count('All submissions with a key of the project: the sum of the rest.'),
    stored: count('Became an issue.'),
    joined: count('Were counted on an issue that existed.'),
    replayed: count('Had been stored before, and were answered alike.'),
    refused: Type.Unsafe<Record<string, number>>({
      type: 'object',
      additionalProperties: { type: 'integer' },
      description: 'Were not accepted, by error code.',
    }),
    limited: count('Came too fast.'),
  },
  {
    title: 'Intake',
    description: 'What became of every submission.',
    examples: [
      { received: 15, stored: 9, joined: 3, replayed: 1, refused: { 'validation-failed': 1 }, limited: 1 },
    ],
  },
)

const none = <T extends string>(values: readonly T[]) =>
  Object.fromEntries(values.map((value) => [value, 0])) as Record<T, number>

export const ProjectStats = answerObject(
  {
    projectId: Type.String({ description: 'The project.' }),
    generatedAt: timestamp({ description: 'When these figures were true.' }),
    days: Type.Integer({ description: 'How many days `series` has.' }),
    totals: answerObject(
      { issues: count('All issues.'), reports: count('All reports.'), open: count('Issues that are open.') },
      { title: 'Totals', examples: [{ issues: 12, reports: 40, open: 5 }] },
    ),
    byStatus: countsOf<IssueStatus>(ISSUE_STATUSES, 'Issues by status.'),
    byCategory: countsOf<Category>(CATEGORIES, 'Issues by category.'),
    byPriority: countsOf<Priority>(PRIORITIES, 'Issues by priority.'),
    byPlatform: Type.Array(ValueCount, { description: 'Issues by platform, most frequent first.' }),
    byAppVersion: Type.Array(ValueCount, { description: 'Issues by version: the ten most frequent.' }),
    series: Type.Array(Day, { description: 'Day by day, the last one today.' }),
    timeToAcknowledge: Duration,
    timeToResolve: Duration,
    intake: Intake,
    sampledIssues: nullable<number>('integer', {
      description:
        'With `createdWithinDays`: how many issues were counted, if there are more in the period; `null` if all of them were.',
    }),
  },
  {
    title: 'ProjectStats',
    description: 'From counters kept with the writes: as quick for ten million issues as for ten.',
    examples: [
      {
        projectId: 'prj_01m8z3v9q8e1r8000000000000',
        generatedAt: '2026-11-15T09:31:12.345Z',
        days: 1,
        totals: { issues: 12, reports: 40, open: 5 },
        byStatus: { ...none(ISSUE_STATUSES), open: 5, resolved: 7 },
        byCategory: { ...none(CATEGORIES), bug: 12 },
        byPriority: { ...none(PRIORITIES), medium: 12 },
        byPlatform: [{ value: 'ios', count: 12, includesRest: false }],
        byAppVersion: [{ value: '2.4.1', count: 12, includesRest: false }],
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
        },
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
        description: 'How many days the series has.',
      }),
    ),
    createdWithinDays: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: limits.MAX_STATS_DAYS,
        description: `Count only issues created in the last so many days, today included: in \`totals\`, in the counts by status, category, priority, platform and version, and in both durations. Needs a key or a sign-in. From the newest ${limits.MAX_PERIOD_ISSUES} issues at most; \`sampledIssues\` tells.`,
      }),
    ),
  },
  { additionalProperties: false },
)
