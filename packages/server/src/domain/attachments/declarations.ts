import { type DeclaredAttachment, type OmissionReason, UPLOAD_SUBMISSION_ID_PATTERN } from '@bugle/contract'
import { mintId } from '../../model/ids.ts'
import type { NewAttachment } from '../../model/reports/attachments.ts'
import { safeFileName } from '../../model/reports/file-names.ts'
import { badMember } from '../domain-error.ts'
import type { AttachmentLimits } from './attachment-limits.ts'

const SUBMISSION_ID = new RegExp(UPLOAD_SUBMISSION_ID_PATTERN)

/** Whether a submission id can be a part of an address. */
export function isUploadId(submissionId: string): boolean {
  return SUBMISSION_ID.test(submissionId)
}

/** Refuses declarations that exceed the limits, and those that no upload could refer to. */
export function checkDeclarations(
  attachments: readonly DeclaredAttachment[],
  submissionId: string | null,
  limits: AttachmentLimits,
): void {
  if (submissionId === null || !isUploadId(submissionId)) {
    throw badMember(
      'submissionId',
      'required',
      'A report with attachments needs a submissionId of 1 to 128 letters, digits, "_" and "-".',
    )
  }
  checkFiles(attachments, limits)
}

/** Refuses files of a report or a comment that exceed the limits. */
export function checkFiles(attachments: readonly DeclaredAttachment[], limits: AttachmentLimits): void {
  if (attachments.length > limits.count) {
    throw badMember('attachments', 'too-many', `attachments must have at most ${limits.count} entries.`)
  }
  const large = attachments.findIndex(({ size }) => size > limits.file)
  if (large >= 0) {
    throw badMember(
      `attachments/${large}/size`,
      'too-large',
      `A file must have at most ${limits.file.toLocaleString('en')} bytes.`,
    )
  }
  if (attachments.reduce((sum, { size }) => sum + size, 0) > limits.report) {
    throw badMember(
      'attachments',
      'too-large',
      `The files must have at most ${limits.report.toLocaleString('en')} bytes together.`,
    )
  }
  const sizes = new Map(attachments.map(({ sha256, size }) => [sha256, size]))
  if (attachments.some(({ sha256, size }) => sizes.get(sha256) !== size)) {
    throw badMember('attachments', 'conflict', 'The same sha256 is declared with different sizes.')
  }
}

/** Why files are omitted, by digest; `null`: they are not. */
export type Omissions = ReadonlyMap<string, OmissionReason | null>

/** What is stored with the report or the comment. */
export function toNewAttachments(
  attachments: readonly DeclaredAttachment[],
  receivedAt: number,
  projectNumber: number,
  omitted?: Omissions,
): readonly NewAttachment[] {
  return attachments.map((declared) => ({
    id: mintId('att', receivedAt, projectNumber),
    name: safeFileName(declared),
    declaredType: declared.contentType.toLowerCase(),
    size: declared.size,
    sha256: declared.sha256,
    omitted: omitted?.get(declared.sha256) ?? null,
  }))
}
