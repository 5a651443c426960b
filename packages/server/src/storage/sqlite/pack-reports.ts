import type { Lane } from '../../model/lanes.ts'
import type { Metadata, NewReport, ReportContent } from '../../model/reports.ts'

/** A report as plain values, for the way to another thread. */
export type PackedReport = readonly [
  projectId: NewReport['projectId'],
  issueId: NewReport['issueId'],
  receivedAt: number,
  actor: NewReport['actor'],
  seesSecurity: boolean,
  submissionId: string | undefined,
  contentHash: string,
  title: string,
  description: string | null,
  category: ReportContent['category'],
  priority: ReportContent['priority'],
  appVersion: string | null,
  buildNumber: string | null,
  osVersion: string | null,
  deviceModel: string | null,
  platform: string | null,
  branch: string | null,
  fingerprint: string | null,
  occurredAt: number | null,
  metadata: string | null,
  sdkName: string | undefined,
  sdkVersion: string,
]

export const PACKED_VALUES: PackedReport['length'] = 22

export function packReport(report: NewReport): PackedReport {
  const { content, submission } = report
  const { metadata, sdk } = content
  return [
    report.projectId,
    report.issueId,
    report.receivedAt,
    report.actor,
    report.lanes.includes('security'),
    submission?.id,
    submission?.contentHash ?? '',
    content.title,
    content.description,
    content.category,
    content.priority,
    content.appVersion,
    content.buildNumber,
    content.osVersion,
    content.deviceModel,
    content.platform,
    content.branch,
    content.fingerprint,
    content.occurredAt,
    metadata && JSON.stringify(metadata),
    sdk?.name,
    sdk?.version ?? '',
  ]
}

export function unpackReport(packed: PackedReport): NewReport {
  const [
    projectId,
    issueId,
    receivedAt,
    actor,
    seesSecurity,
    submissionId,
    contentHash,
    title,
    description,
    category,
    priority,
    appVersion,
    buildNumber,
    osVersion,
    deviceModel,
    platform,
    branch,
    fingerprint,
    occurredAt,
    metadata,
    sdkName,
    sdkVersion,
  ] = packed
  return {
    projectId,
    issueId,
    receivedAt,
    actor,
    lanes: seesSecurity ? ALL_LANES : OPEN_LANE,
    content: {
      title,
      description,
      category,
      priority,
      appVersion,
      buildNumber,
      osVersion,
      deviceModel,
      platform,
      branch,
      fingerprint,
      occurredAt,
      metadata: metadata === null ? null : (JSON.parse(metadata) as Metadata),
      sdk: sdkName === undefined ? null : { name: sdkName, version: sdkVersion },
    },
    submission: submissionId === undefined ? null : { id: submissionId, contentHash },
  }
}

const OPEN_LANE: readonly Lane[] = ['open']
const ALL_LANES: readonly Lane[] = ['open', 'security']
