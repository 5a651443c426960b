import type { Lane } from '../../../model/lanes.ts'
import type { NewReport, ReportContent } from '../../../model/reports/reports.ts'
import { REPORTED } from '../../issues/issue-fields.ts'

/** A report as plain values, to be sent to another thread: its own fields, then those of its content. */
export type PackedReport = readonly [...own: Own, ...content: unknown[]]

type Own = [
  projectId: NewReport['projectId'],
  issueId: NewReport['issueId'],
  receivedAt: number,
  actor: NewReport['actor'],
  seesSecurity: boolean,
  submissionId: string | undefined,
  contentHash: string,
  onDefaultBranch: boolean | null,
  attachments: NewReport['attachments'],
  exception: NewReport['exception'],
  sender: string | null,
  isSpam: boolean,
  knownIssueId: NewReport['knownIssueId'],
]

const OWN_VALUES: Own['length'] = 13
export const PACKED_VALUES = OWN_VALUES + REPORTED.columns.length

/** Adds a report to a list of packed values. */
export function packReport({ content, submission, ...report }: NewReport, packed: unknown[]): void {
  const own: Own = [
    report.projectId,
    report.issueId,
    report.receivedAt,
    report.actor,
    report.lanes.includes('security'),
    submission?.id,
    submission?.contentHash ?? '',
    report.onDefaultBranch ?? null,
    report.attachments,
    report.exception,
    report.sender ?? null,
    report.isSpam ?? false,
    report.knownIssueId,
  ]
  packed.push(...own)
  REPORTED.addValuesOf(content, packed)
}

export function unpackReport(packed: PackedReport): NewReport {
  const [projectId, issueId, receivedAt, actor, seesSecurity, submissionId, contentHash] = packed
  const {
    7: onDefaultBranch,
    8: attachments,
    9: exception,
    10: sender,
    11: isSpam,
    12: knownIssueId,
  } = packed
  const content: Record<string, unknown> = { ...REPORTED.emptyRecord }
  REPORTED.fill(content, packed, OWN_VALUES)
  const report = {
    projectId,
    issueId,
    receivedAt,
    actor,
    lanes: seesSecurity ? ALL_LANES : OPEN_LANE,
    content: content as object as ReportContent,
    onDefaultBranch,
    sender,
    isSpam,
    submission: submissionId === undefined ? null : { id: submissionId, contentHash },
  }
  if (attachments === undefined && exception === undefined && knownIssueId === undefined) return report
  return {
    ...report,
    ...(attachments !== undefined && { attachments }),
    ...(exception !== undefined && { exception }),
    ...(knownIssueId !== undefined && { knownIssueId }),
  }
}

const OPEN_LANE: readonly Lane[] = ['open']
const ALL_LANES: readonly Lane[] = ['open', 'security']
