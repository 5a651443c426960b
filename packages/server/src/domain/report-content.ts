import { hash } from 'node:crypto'
import { DEFAULT_CATEGORY, DEFAULT_PRIORITY, type IssueSubmission } from '@bugle/contract'
import type { Metadata, ReportContent } from '../storage/records/reports.ts'

/** Half of a SHA-256 tells contents apart as well as anyone needs, and is stored with every submission. */
const CONTENT_HASH_DIGITS = 32

/** What a valid submission says, with the defaults filled in: two that mean the same become the same. */
export function normaliseSubmission(submission: IssueSubmission): ReportContent {
  return {
    title: submission.title.toWellFormed(),
    description: text(submission.description),
    category: submission.category ?? DEFAULT_CATEGORY,
    priority: submission.priority ?? DEFAULT_PRIORITY,
    appVersion: text(submission.appVersion),
    buildNumber: text(submission.buildNumber),
    osVersion: text(submission.osVersion),
    deviceModel: text(submission.deviceModel),
    platform: submission.platform?.toLowerCase() ?? null,
    branch: text(submission.branch),
    fingerprint: text(submission.fingerprint),
    occurredAt: submission.occurredAt ? Date.parse(submission.occurredAt) : null,
    metadata: normaliseMetadata(submission.metadata),
    sdk: submission.sdk
      ? { name: submission.sdk.name.toWellFormed(), version: submission.sdk.version.toWellFormed() }
      : null,
  }
}

/** Equal for equal content, whatever the order of its members was. */
export function hashContent(content: ReportContent): string {
  return hash('sha256', JSON.stringify(content), 'hex').slice(0, CONTENT_HASH_DIGITS)
}

// No database stores half of a surrogate pair.
function text(value: string | null | undefined): string | null {
  return value?.toWellFormed() ?? null
}

function normaliseMetadata(metadata: IssueSubmission['metadata']): Metadata | null {
  if (!metadata) return null
  const members = Object.entries(metadata).map(
    ([name, value]) =>
      [name.toWellFormed(), typeof value === 'string' ? value.toWellFormed() : value] as const,
  )
  return Object.fromEntries(isSorted(members) ? members : members.sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Most are: an app sends the same members in the same order. */
function isSorted(members: readonly (readonly [name: string, value: unknown])[]): boolean {
  return members.every(([name], index) => index === 0 || (members[index - 1]?.[0] ?? '') < name)
}
