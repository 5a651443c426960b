import type { Lane } from '../../../model/lanes.ts'
import type { NewReport, ReportContent } from '../../../model/reports.ts'
import { REPORTED } from '../../issues/issue-fields.ts'

/** A report as plain values, for the way to another thread: those of its own, then those of its content. */
export type PackedReport = readonly [...own: Own, ...content: unknown[]]

type Own = [
  projectId: NewReport['projectId'],
  issueId: NewReport['issueId'],
  receivedAt: number,
  actor: NewReport['actor'],
  seesSecurity: boolean,
  submissionId: string | undefined,
  contentHash: string,
]

const OWN_VALUES: Own['length'] = 7
export const PACKED_VALUES = OWN_VALUES + REPORTED.columns.length

export function packReport({ content, submission, ...report }: NewReport): PackedReport {
  return [
    report.projectId,
    report.issueId,
    report.receivedAt,
    report.actor,
    report.lanes.includes('security'),
    submission?.id,
    submission?.contentHash ?? '',
    ...REPORTED.valuesOf(content),
  ]
}

export function unpackReport(packed: PackedReport): NewReport {
  const [projectId, issueId, receivedAt, actor, seesSecurity, submissionId, contentHash] = packed
  const content: Record<string, unknown> = { ...REPORTED.emptyRecord }
  REPORTED.fill(content, packed, OWN_VALUES)
  return {
    projectId,
    issueId,
    receivedAt,
    actor,
    lanes: seesSecurity ? ALL_LANES : OPEN_LANE,
    content: content as object as ReportContent,
    submission: submissionId === undefined ? null : { id: submissionId, contentHash },
  }
}

const OPEN_LANE: readonly Lane[] = ['open']
const ALL_LANES: readonly Lane[] = ['open', 'security']
