import { hash } from 'node:crypto'
import type { IssueStatus } from '@bugle/contract/vocabulary'
import type { CommentRecord } from '../comments/comments.ts'
import type { Actor } from '../events.ts'
import { encodeId, type IssueId, type ProjectId, type ReporterId, type ReportId } from '../ids.ts'
import type { FixedIn } from '../issues.ts'
import type { Lane } from '../lanes.ts'

/** A reporter: the hash of their secret, within a project. */
export interface ReporterKey {
  readonly projectId: ProjectId
  readonly keyHash: string
}

/** A report of a reporter, with what they can see of its issue. */
export interface MyReportRecord {
  readonly id: ReportId
  /** As submitted; `null` if it is no longer kept. */
  readonly title: string | null
  readonly receivedAt: number
  readonly status: IssueStatus
  readonly fixedIn: FixedIn | null
  readonly replyCount: number
  readonly unreadCount: number
  readonly lastReplyAt: number | null
}

/** The reports of a reporter. */
export interface MyReportListing {
  readonly reports: readonly MyReportRecord[]
  /** The issues that they are part of, and those that these are duplicates of. */
  readonly issueNumbers: readonly number[]
  /** Those with unread replies. */
  readonly unread: readonly ReadMark[]
}

/** How far the reporter of a report has read: the number of the last reply, or 0. */
export interface ReadMark {
  /** As the storage numbers it. */
  readonly project: number
  readonly issueNumber: number
  readonly reportNumber: number
  readonly replyNumber: number
}

/** What may concern reporters: changes to the issues that they have reported, and their own new reports. */
export interface ReporterNews {
  /** The end of the log. */
  readonly position: number
  /** The last change to each issue. `null` if too much has happened. */
  readonly changes: readonly ReporterChange[] | null
}

export interface ReporterChange {
  readonly position: number
  /** Who has submitted a report; `null` if the change concerns everyone who has reported the issue. */
  readonly keyHashes: readonly string[] | null
  readonly issueNumber: number
}

/** One of the reports of a reporter. */
export interface MyReportPlace extends ReporterKey {
  readonly reportId: ReportId
}

/** Whether the reporter of a report of an issue is blocked from now on. */
export interface ReporterBlock extends ReporterKey {
  readonly issueId: IssueId
  /** The lanes that the caller sees: other issues are missing. */
  readonly lanes: readonly Lane[]
  readonly isBlocked: boolean
  readonly actor: Actor
  readonly at: number
}

export interface NewMessage extends MyReportPlace {
  readonly messageId: string
  readonly text: string
  readonly at: number
}

export type SendMessageOutcome =
  | { readonly kind: 'created' | 'replayed'; readonly message: CommentRecord }
  | { readonly kind: 'conflict' }
  | { readonly kind: 'too-many' }
  | { readonly kind: 'missing' }

/** Identifies a reporter to the team. The hash of the secret cannot be found out from it. */
export function reporterIdOf({ projectId, keyHash }: ReporterKey): ReporterId {
  const bytes = hash('sha256', `${projectId} ${keyHash}`, 'buffer').subarray(0, 16)
  // The bits of a UUIDv8, as in every id.
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return encodeId('rpr', bytes)
}

/** The id of the comment that a message is stored as. Other comments cannot have it, because it contains a dot. */
export function commentIdOf(reportNumber: number, messageId: string): string {
  return `${reportNumber}.${messageId}`
}

/** The id that the client chose for a message. */
export function messageIdOf(commentId: string): string {
  return commentId.slice(commentId.indexOf('.') + 1)
}
