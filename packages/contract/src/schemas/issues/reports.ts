import { type Static, Type } from 'typebox'
import { TEXT_OMISSIONS, type TextOmission } from '../../vocabulary/report-fields.ts'
import { answerObject, nullable, timestamp } from '../members.ts'
import { CursorQuery, pageOf } from '../pagination.ts'
import { Attachment } from './attachments.ts'
import { shownExceptions } from './exceptions.ts'
import { IssueParams } from './issues.ts'
import { exampleListedValues, exampleUnlistedValues, listedValues, unlistedValues } from './report-values.ts'
import { EXAMPLE_ISSUE_ID } from './submissions.ts'

const EXAMPLE_REPORT_ID = 'rep_06dg2c4q0xg0n8v0a5k9m3r7tw'

/** One report of an issue: its content, where and when. */
export const Report = answerObject(
  {
    id: Type.String({ description: 'Identifies the report. It starts with `rep_`.' }),
    issueId: Type.String({
      description: 'The issue that it is a report of: the requested one, or a duplicate of it.',
    }),
    issueNumber: Type.Integer({ description: 'The number of that issue.' }),
    reportNumber: Type.Integer({
      description:
        'Starts at 1, the report that created the issue. The number of a deleted report is not reused.',
    }),
    receivedAt: timestamp({ description: 'When it arrived.' }),
    ...listedValues,
    title: nullable<string>('string', {
      description: 'The title, as submitted; `null` if the text is omitted.',
    }),
    description: nullable<string>('string', { description: 'The description, as submitted.' }),
    textNumber: nullable<number>('integer', {
      description:
        'Reports of an issue with the same number have the same title and description; `null` if the text was not recorded.',
    }),
    textOmitted: Type.Boolean({ description: 'Whether title and description are missing.' }),
    textOmittedReason: Type.Unsafe<TextOmission | null>({
      type: ['string', 'null'],
      enum: [...TEXT_OMISSIONS, null],
      description:
        'Why they are missing. `limit`: of a crash, the first 100 and the latest 900 different texts are kept. `redacted`: someone removed them. `not-recorded`: the report was stored by a release that did not keep them.',
    }),
    exception: shownExceptions,
    ...unlistedValues,
    reporterId: nullable<string>('string', {
      description:
        'Identifies the reporter if they can receive replies: equal for all their reports to the project. `null` if the report has no `reporterKeyHash`.',
    }),
    isReporterBlocked: Type.Boolean({
      description: 'Whether the reporter was blocked, on an issue that everyone who sees this one can see.',
    }),
    submissionId: nullable<string>('string', {
      description: 'The id that the sender chose for the submission.',
    }),
    attachments: Type.Array(Attachment, {
      description: 'Its files, in the order in which it declared them.',
    }),
  },
  {
    title: 'Report',
    examples: [
      {
        id: EXAMPLE_REPORT_ID,
        issueId: EXAMPLE_ISSUE_ID,
        issueNumber: 295,
        reportNumber: 7,
        receivedAt: '2026-11-15T09:31:12.345Z',
        ...exampleListedValues,
        title: 'Settings stay blank',
        description: 'Since the update, every time I open them.',
        textNumber: 3,
        textOmitted: false,
        textOmittedReason: null,
        exception: null,
        ...exampleUnlistedValues,
        reporterId: 'rpr_06dg2c4q0xg0n8v0a5k9m3r7tw',
        isReporterBlocked: false,
        submissionId: null,
        attachments: [],
      },
    ],
  },
)
export type Report = Static<typeof Report>

export const ReportParams = Type.Object(
  {
    ...IssueParams.properties,
    reportId: Type.String({ description: "The report's id.", examples: [EXAMPLE_REPORT_ID] }),
  },
  { additionalProperties: false },
)

export const ReportQuery = Type.Object(
  {
    ...CursorQuery.properties,
    distinct: Type.Optional(
      Type.Boolean({
        description: 'If `true`, only the first report with each text is listed, the newest text first.',
      }),
    ),
    includeText: Type.Optional(
      Type.Boolean({
        default: true,
        description:
          'If `false`, `title`, `description`, `exception`, `metadata` and `context` are `null` and `attachments` is empty in the response, so that pages of long reports stay small.',
      }),
    ),
  },
  { additionalProperties: false },
)
export type ReportQuery = Static<typeof ReportQuery>

export const ReportPage = pageOf(Report, {
  title: 'ReportPage',
  description:
    'Reports of an issue and of its duplicates, newest first. A page with long texts may have fewer items than `pageSize`.',
})
export type ReportPage = Static<typeof ReportPage>
