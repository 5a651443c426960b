import type { Attachment, CommentAttachment } from '@bugle/contract'
import { lastReportNumber } from '../../model/decisions/duplicates.ts'
import type { StoredIssue } from '../../model/issues.ts'
import { type AttachmentRecord, omissionOf, stateOf, stateOfKept } from '../../model/reports/attachments.ts'
import { isInline } from '../../model/reports/file-names.ts'
import { isoTime } from '../iso-time.ts'

/** A file of a report of this issue. */
export function showAttachment(attachment: AttachmentRecord, issue: StoredIssue): Attachment {
  const { id, reportNumber, name, declaredType, size, sha256, receivedAt } = attachment
  const lastReport = lastReportNumber(issue)
  const state = stateOf(attachment, lastReport)
  const wasReceived = state === 'received' || state === 'damaged'
  const contentType = wasReceived ? attachment.contentType : null
  return {
    id,
    issueId: issue.id,
    reportNumber,
    name,
    contentType,
    declaredType,
    size,
    sha256,
    state,
    omittedReason: omissionOf(attachment, lastReport),
    isInline: state === 'received' && isInline(contentType),
    receivedAt: wasReceived && receivedAt !== null ? isoTime(receivedAt) : null,
  }
}

/** A file of a comment. It is kept as long as the comment. */
export function showCommentAttachment(attachment: AttachmentRecord): CommentAttachment {
  const { id, name, declaredType, size, sha256, contentType, receivedAt } = attachment
  const state = stateOfKept(attachment)
  return {
    id,
    name,
    contentType,
    declaredType,
    size,
    sha256,
    state,
    isInline: state === 'received' && isInline(contentType),
    receivedAt: receivedAt === null ? null : isoTime(receivedAt),
  }
}
