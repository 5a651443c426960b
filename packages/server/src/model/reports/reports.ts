import type { IssueSubmission } from '@bugle/contract'
import {
  type Category,
  DEFAULT_CATEGORY,
  DEFAULT_PRIORITY,
  type IssueStatus,
  mapReportFields,
  type Priority,
  REPORT_FIELD_NAMES,
  REPORT_FIELDS,
  type ReportFieldName,
  type TextOmission,
} from '@bugle/contract/vocabulary'
import type { StoredExceptions } from '../crashes/report-exceptions.ts'
import type { Actor } from '../events.ts'
import type { IssueId, ProjectId, ReportId } from '../ids.ts'
import type { Lane } from '../lanes.ts'
import type { NewAttachment } from './attachments.ts'
import { normaliseReporter, type Reporter } from './reporters.ts'

export type Metadata = Readonly<Record<string, string | number | boolean>>

/** The content of a report, normalised: every field present, `null` when empty. */
export interface ReportContent extends ReportValues {
  readonly title: string
  readonly description: string | null
  readonly category: Category
  readonly priority: Priority
  readonly fingerprint: string | null
}

/** What each report of an issue has separately. */
export interface ReportValues extends ReportTexts {
  readonly occurredAt: number | null
  readonly metadata: Metadata | null
  /** Where it happened, as collected by the SDK. */
  readonly context: Metadata | null
  readonly reporter: Reporter | null
  /** The hash of the secret by which the reporter can follow the report. Never shown. */
  readonly reporterKeyHash: string | null
  readonly sdk: { readonly name: string; readonly version: string } | null
}

type ReportTexts = Readonly<Record<ReportFieldName, string | null>>

/** Normalises a valid submission, with defaults: equivalent submissions become equal. */
export function normaliseSubmission(submission: IssueSubmission): ReportContent {
  return {
    title: submission.title,
    description: submission.description ?? null,
    category: submission.category ?? DEFAULT_CATEGORY,
    priority: submission.priority ?? DEFAULT_PRIORITY,
    ...normaliseTexts(submission),
    fingerprint: submission.fingerprint ?? null,
    occurredAt: submission.occurredAt ? Date.parse(submission.occurredAt) : null,
    metadata: normaliseMetadata(submission.metadata),
    context: normaliseMetadata(submission.context),
    reporter: submission.reporter ? normaliseReporter(submission.reporter) : null,
    reporterKeyHash: submission.reporterKeyHash ?? null,
    sdk: submission.sdk ? { name: submission.sdk.name, version: submission.sdk.version } : null,
  }
}

function normaliseTexts(submission: IssueSubmission): ReportTexts {
  const texts = { ...NO_TEXTS }
  for (const name of REPORT_FIELD_NAMES) texts[name] = submission[name] ?? null
  for (const name of LOWER_CASE) texts[name] = texts[name]?.toLowerCase() ?? null
  return texts
}

const NO_TEXTS = mapReportFields((): string | null => null)
const LOWER_CASE = REPORT_FIELD_NAMES.filter((name) => 'isLowerCase' in REPORT_FIELDS[name])

function normaliseMetadata(metadata: IssueSubmission['metadata']): Metadata | null {
  if (!metadata) return null
  const members = Object.entries(metadata)
  return Object.fromEntries(isSorted(members) ? members : members.sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Whether the fields are already sorted, which saves the sorting. */
function isSorted(members: readonly (readonly [name: string, value: unknown])[]): boolean {
  return members.every(([name], index) => index === 0 || (members[index - 1]?.[0] ?? '') < name)
}

export interface NewReport {
  readonly projectId: ProjectId
  /** The id of the issue, if the report creates one. The report has the same id, with its own prefix: {@link reportIdOf}. */
  readonly issueId: IssueId
  readonly receivedAt: number
  readonly actor: Actor
  /** The lanes that the reporter may see: a report joins no other issue. */
  readonly lanes: readonly Lane[]
  readonly content: ReportContent
  /** Whether it comes from the project's default branch; `null` or absent: it names no branch. */
  readonly onDefaultBranch?: boolean | null
  /** Identifies the submission, with a hash of its content in hexadecimal, to distinguish a retry from a conflict. */
  readonly submission: { readonly id: string; readonly contentHash: string } | null
  /** Who sent it, as a hash, if that is known. */
  readonly sender?: string | null
  /** The known issue that it is about, if it may join one: ignored unless that is published. */
  readonly knownIssueId?: IssueId
  /** Whether its sender is blocked. */
  readonly isSpam?: boolean
  /** Files that will follow; absent if there are none. */
  readonly attachments?: readonly NewAttachment[]
  /** What was thrown; absent if nothing was. */
  readonly exception?: StoredExceptions
}

/** The result of a submission, as in the first response and every repeat. */
export interface Receipt {
  readonly issueId: IssueId
  readonly issueNumber: number
  /** The status of the issue, right after the report. */
  readonly status: IssueStatus
  /** When the issue was created. */
  readonly createdAt: number
  /** When this report arrived: later than `createdAt` if it joined an issue. */
  readonly receivedAt: number
  /** The reports of the issue, including this one: 1 if it created the issue. */
  readonly reportCount: number
}

export type SubmitOutcome =
  | { readonly kind: 'stored' | 'joined' | 'replayed'; readonly receipt: Receipt }
  /** The submission id was used with other content. */
  | { readonly kind: 'conflict' }
  /** Another issue has this id: create a new one and try again. */
  | { readonly kind: 'id-taken' }
  /** The project was deleted in the meantime. */
  | { readonly kind: 'no-project' }

/** One report of an issue, as submitted. */
export interface ReportRecord extends ReportValues {
  readonly id: ReportId
  readonly receivedAt: number
  /** Within its issue. Not reused when a report is deleted. */
  readonly reportNumber: number
  readonly submissionId: string | null
  /** Reports of an issue with the same number have the same text; `null`: it was not recorded. */
  readonly textNumber: number | null
  /** `null` if the text is missing. */
  readonly title: string | null
  readonly description: string | null
  /** Why the text is missing; `null` if it is present. */
  readonly textOmitted: TextOmission | null
  /** Part of the text. */
  readonly exception: StoredExceptions | null
}

/** Which report of an issue to delete or to redact. */
export interface ReportCommand {
  readonly projectId: ProjectId
  readonly issueId: IssueId
  readonly reportNumber: number
  /** The lanes that the caller sees: reports of other issues are missing. */
  readonly lanes: readonly Lane[]
  readonly actor: Actor
  readonly at: number
}

/** `first`: the report is part of its issue and cannot be deleted. */
export type ReportOutcome = 'done' | 'missing' | 'first'

/** The number of the report that created the issue. */
export const FIRST_REPORT = 1

/** The id of a report, from the one that was created for its submission. */
export function reportIdOf(issueId: IssueId): ReportId {
  return `rep_${issueId.slice('iss_'.length)}`
}
