import { type Static, Type } from 'typebox'
import * as limits from '../../vocabulary/limits.ts'
import { answerObject, nullable } from '../members.ts'
import { CursorQuery, pageOf } from '../pagination.ts'

const count = (description: string) => Type.Integer({ minimum: 0, description })

const time = (description: string) => nullable<string>('string', { format: 'date-time', description })

/** What the reports reveal about a version, a build or a branch. */
const reported = {
  reportCount: count('How many reports came from it.'),
  firstReportedAt: time('When the first of them arrived; `null` if there is none.'),
  lastReportedAt: time('When the last of them arrived; `null` if there is none.'),
}

const issues = {
  newIssues: count('Issues whose first report came from it.'),
  regressions: count('Reports from it that reopened a resolved issue.'),
}

const exampleReported = {
  reportCount: 40,
  firstReportedAt: '2026-11-02T08:15:00.000Z',
  lastReportedAt: '2026-11-15T09:31:12.345Z',
}

const includesRest = Type.Boolean({
  description: `Whether this entry also counts further values, because only ${limits.MAX_COUNTED_VALUES} are listed by name. Always \`false\` except for \`${limits.OTHER_VALUE}\`, which can also be a regular value.`,
})

const Build = answerObject(
  { buildNumber: Type.String({ description: 'The build number.' }), ...reported },
  { title: 'Build', examples: [{ buildNumber: '512', ...exampleReported }] },
)

/** An app version that reports came from, or that contains a fix. */
export const Version = answerObject(
  {
    appVersion: Type.String({ description: 'The version, as reports state it.' }),
    ...reported,
    ...issues,
    fixedIssues: count('Issues whose `fixedIn` names it.'),
    builds: Type.Array(Build, {
      description: `Its builds, newest first: the newest ${limits.MAX_SHOWN_BUILDS}.`,
    }),
    includesRest,
  },
  {
    title: 'Version',
    examples: [
      {
        appVersion: '2.4.1',
        ...exampleReported,
        newIssues: 12,
        regressions: 1,
        fixedIssues: 3,
        builds: [{ buildNumber: '512', ...exampleReported }],
        includesRest: false,
      },
    ],
  },
)
export type Version = Static<typeof Version>

export const VersionPage = pageOf(Version, {
  title: 'VersionPage',
  description:
    'Some versions of a project, newest first in version order: 2.10 is newer than 2.9, and 2.0.0 newer than 2.0.0-rc.1.',
})
export type VersionPage = Static<typeof VersionPage>

/** A source branch that reports came from. */
export const Branch = answerObject(
  {
    branch: Type.String({ description: 'The branch, as reports state it.' }),
    isDefault: Type.Boolean({ description: "Whether it is the project's default branch." }),
    ...reported,
    ...issues,
    includesRest,
  },
  {
    title: 'Branch',
    examples: [
      {
        branch: 'main',
        isDefault: true,
        ...exampleReported,
        newIssues: 12,
        regressions: 1,
        includesRest: false,
      },
    ],
  },
)
export type Branch = Static<typeof Branch>

export const BranchPage = pageOf(Branch, {
  title: 'BranchPage',
  description:
    'Some branches of a project: the default branch, then the others by their last report, newest first.',
})
export type BranchPage = Static<typeof BranchPage>

const VersionDay = answerObject(
  {
    date: Type.String({ format: 'date', description: 'The day, in UTC.' }),
    reports: count('Reports that arrived that day.'),
    newIssues: count('Issues created that day.'),
  },
  { title: 'VersionDay', examples: [{ date: '2026-11-15', reports: 9, newIssues: 4 }] },
)
export type VersionDay = Static<typeof VersionDay>

const days = (description: string) => Type.Array(VersionDay, { description })

const VersionSeries = answerObject(
  {
    appVersion: Type.String({ description: 'The version, as reports state it.' }),
    series: days('One entry per day, ending today.'),
  },
  {
    title: 'VersionSeries',
    examples: [{ appVersion: '2.4.1', series: [{ date: '2026-11-15', reports: 9, newIssues: 4 }] }],
  },
)

/** Reports and new issues of a project's versions, day by day. */
export const VersionStats = answerObject(
  {
    projectId: Type.String({ description: 'The project.' }),
    days: Type.Integer({ description: 'The number of days in each series.' }),
    versions: Type.Array(VersionSeries, {
      description: `The ${limits.MAX_CHARTED_VERSIONS} versions with the most reports among those that were reported in these days, newest version first.`,
    }),
    others: days('All other reports and new issues: of other versions, or without a version.'),
    completeFrom: nullable<string>('string', {
      format: 'date',
      description: `The first day on which everything is counted by version; \`null\` if that is every day. The figures are based on the newest ${limits.MAX_PERIOD_ISSUES} issues at most, and on a limited number of the issues that a version's further reports joined. On earlier days, \`others\` includes the rest.`,
    }),
  },
  {
    title: 'VersionStats',
    examples: [
      {
        projectId: 'prj_01m8z3v9q8e1r8000000000000',
        days: 1,
        versions: [{ appVersion: '2.4.1', series: [{ date: '2026-11-15', reports: 9, newIssues: 4 }] }],
        others: [{ date: '2026-11-15', reports: 2, newIssues: 1 }],
        completeFrom: null,
      },
    ],
  },
)
export type VersionStats = Static<typeof VersionStats>

export const VersionStatsQuery = Type.Object(
  {
    days: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: limits.MAX_STATS_DAYS,
        default: limits.DEFAULT_STATS_DAYS,
        description: 'The number of days in each series.',
      }),
    ),
  },
  { additionalProperties: false },
)
export type VersionStatsQuery = Static<typeof VersionStatsQuery>

export const SeenQuery = Type.Object(
  {
    q: Type.Optional(
      Type.String({
        maxLength: limits.MAX_BRANCH_CHARS,
        description: 'Only values that contain this text, in upper or lower case.',
        examples: ['2.4'],
      }),
    ),
    ...CursorQuery.properties,
  },
  { additionalProperties: false },
)
export type SeenQuery = Static<typeof SeenQuery>
