import type { AttachmentState, Issue, OmissionReason, OmittedReason } from '@bugle/contract'
import { FIRST_REPORTS_WITH_FILES, LATEST_REPORTS_WITH_FILES } from '@bugle/contract/vocabulary'
import type { Actor } from '../events.ts'
import type { AttachmentId, ProjectId } from '../ids.ts'
import type { Lane } from '../lanes.ts'

/** A file that a report declares, as it is stored with the report. */
export interface NewAttachment {
  readonly id: AttachmentId
  /** Safe to show. */
  readonly name: string
  readonly declaredType: string
  readonly size: number
  /** In hexadecimal. */
  readonly sha256: string
  /** Why its bytes did not arrive with the report; `null` if they did, or are still expected. */
  readonly omitted: OmissionReason | null
}

export interface AttachmentRecord extends NewAttachment {
  readonly issueNumber: number
  /** 0 for a file of a comment. */
  readonly reportNumber: number
  /** Its position in the issue: see {@link attachmentNumber} and {@link commentFileNumber}. */
  readonly number: number
  /** `null`: the bytes have not arrived, or are no longer kept. */
  readonly receivedAt: number | null
  /** The media type of the bytes, if it is known. */
  readonly contentType: string | null
  /** The name of the file in the store; `null` if nothing was received. */
  readonly file: `${number}/${string}` | null
  /** Whether the stored bytes were found to be missing or changed. */
  readonly isDamaged: boolean
}

/** The declarations of a report or a comment for a digest, and what an upload needs to know about the issue. */
export interface Declaration {
  readonly projectId: ProjectId
  /** The size of all files of the project. */
  readonly projectBytes: number
  readonly attachment: AttachmentRecord
  /** Whether the report is one of those whose files are kept. Those of comments always are. */
  readonly isKept: boolean
}

/** A file that a report declares, or a comment. */
export type DeclarationPlace = ReportFilePlace | CommentFilePlace

export interface ReportFilePlace {
  readonly projectId: ProjectId
  readonly submissionId: string
  readonly sha256: string
}

export interface CommentFilePlace {
  readonly projectId: ProjectId
  readonly issueNumber: number
  readonly commentId: string
  readonly sha256: string
}

/** Makes the bytes of a file visible. */
export type ReceiveCommand = DeclarationPlace & Reception

interface Reception {
  readonly actor: Actor
  readonly at: number
  /** The file that was put into the store; `null` if it had been received when the upload began. */
  readonly stored: { readonly file: string; readonly contentType: string | null } | null
  /** The maximum total size of the project's files. */
  readonly maxProjectBytes: number
}

export type ReceiveOutcome =
  /** `isUsed`: whether the file put into the store is the one that is kept. */
  | { readonly kind: 'received' | 'repeated'; readonly isUsed: boolean }
  /** The report was deleted in the meantime, or its files are no longer kept. */
  | { readonly kind: 'missing' | 'omitted' }
  /** The project has no space for it. */
  | { readonly kind: 'full' }
  /** The file with these bytes was removed during the upload: it has to be uploaded again. */
  | { readonly kind: 'gone' }

/** Files of a project, counted by whether they have arrived. */
export interface AttachmentTally {
  readonly received: number
  readonly pending: number
}

/**
 * Whether an issue has files: `received` if at least one has arrived, `pending` if none of those that were declared has,
 * `null` if there are none, or none that are still kept.
 */
export type IssueAttachmentState = Issue['attachmentState']

export interface AttachmentListing {
  readonly projectId: ProjectId
  readonly issueNumber: number
  /** The last attachment of the page before. */
  readonly afterNumber: number
  readonly limit: number
}

export interface ReportFilesListing {
  readonly projectId: ProjectId
  readonly issueNumber: number
  readonly reportNumbers: readonly number[]
}

export interface TallyPlace {
  readonly projectId: ProjectId
  readonly lanes: readonly Lane[]
}

/** More than a report may declare. */
export const PLACES_PER_REPORT = 16

/** The number of an attachment within its issue: sorts by report, then by the order of the declaration. */
export function attachmentNumber(reportNumber: number, place: number): number {
  return reportNumber * PLACES_PER_REPORT + place
}

export function reportNumberOf(attachmentNumber: number): number {
  return Math.max(0, Math.floor(attachmentNumber / PLACES_PER_REPORT))
}

/** Negative, so that the files of comments are never among those of reports. */
export function commentFileNumber(commentNumber: number, place: number): number {
  return -attachmentNumber(commentNumber, place)
}

/** The place of a file within its comment. */
export function placeInComment(number: number): number {
  return -number % PLACES_PER_REPORT
}

/** The numbers of the files of a comment: from the first, and before the second. */
export function numbersOfComment(commentNumber: number): readonly [from: number, before: number] {
  return [commentFileNumber(commentNumber, PLACES_PER_REPORT - 1), commentFileNumber(commentNumber, 0) + 1]
}

/** The order in which attachments are shown: those of the newest report first, and those of a report as they were declared. */
export function isShownAfter(number: number, other: number): boolean {
  const [report, otherReport] = [reportNumberOf(number), reportNumberOf(other)]
  return report === otherReport ? number > other : report < otherReport
}

/** For an issue with many reports, the files of the first and of the latest are kept. */
export function keepsFiles(reportNumber: number, lastReport: number): boolean {
  return reportNumber <= FIRST_REPORTS_WITH_FILES || reportNumber > lastReport - LATEST_REPORTS_WITH_FILES
}

/** The attachment numbers of reports whose files are not kept: from the first, and before the second. */
export function numbersNotKept(lastReport: number): readonly [from: number, before: number] {
  return [
    attachmentNumber(FIRST_REPORTS_WITH_FILES + 1, 0),
    attachmentNumber(Math.max(0, lastReport - LATEST_REPORTS_WITH_FILES) + 1, 0),
  ]
}

export function stateOf(attachment: AttachmentRecord, lastReport: number): AttachmentState {
  return omissionOf(attachment, lastReport) === null ? stateOfKept(attachment) : 'omitted'
}

/** Why a file is not kept; `null`: it is, or is still expected. */
export function omissionOf(
  { reportNumber, receivedAt, omitted }: AttachmentRecord,
  lastReport: number,
): OmittedReason | null {
  if (!keepsFiles(reportNumber, lastReport)) return 'newer-reports'
  // A file that was omitted may be uploaded later.
  return receivedAt === null ? omitted : null
}

/** The state of a file that is kept, as those of comments always are. */
export function stateOfKept({
  receivedAt,
  isDamaged,
}: Pick<AttachmentRecord, 'receivedAt' | 'isDamaged'>): Exclude<AttachmentState, 'omitted'> {
  if (receivedAt === null) return 'pending'
  return isDamaged ? 'damaged' : 'received'
}

/** A file that was found to be missing or changed, or to be whole again. */
export interface DamageFinding {
  readonly projectId: ProjectId
  readonly sha256: string
  /** The name of the file in the store. */
  readonly file: string
  readonly isDamaged: boolean
}
