import { DEFAULT_CATEGORY, DEFAULT_PRIORITY, type IssueSubmission } from '@bugle/contract'
import type { Metadata, ReportContent } from './reports.ts'

/** What a valid submission says, with the defaults filled in: two that mean the same become the same. */
export function normaliseSubmission(submission: IssueSubmission): ReportContent {
  return {
    title: submission.title,
    description: submission.description ?? null,
    category: submission.category ?? DEFAULT_CATEGORY,
    priority: submission.priority ?? DEFAULT_PRIORITY,
    appVersion: submission.appVersion ?? null,
    buildNumber: submission.buildNumber ?? null,
    osVersion: submission.osVersion ?? null,
    deviceModel: submission.deviceModel ?? null,
    platform: submission.platform?.toLowerCase() ?? null,
    branch: submission.branch ?? null,
    fingerprint: submission.fingerprint ?? null,
    occurredAt: submission.occurredAt ? Date.parse(submission.occurredAt) : null,
    metadata: normaliseMetadata(submission.metadata),
    sdk: submission.sdk ? { name: submission.sdk.name, version: submission.sdk.version } : null,
  }
}

function normaliseMetadata(metadata: IssueSubmission['metadata']): Metadata | null {
  if (!metadata) return null
  const members = Object.entries(metadata)
  return Object.fromEntries(isSorted(members) ? members : members.sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Most are: an app sends the same members in the same order. */
function isSorted(members: readonly (readonly [name: string, value: unknown])[]): boolean {
  return members.every(([name], index) => index === 0 || (members[index - 1]?.[0] ?? '') < name)
}
