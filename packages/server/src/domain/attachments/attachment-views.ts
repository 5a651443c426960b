import type { Attachment, CommentAttachment } from '@bugle/contract'
import { lastReportNumber } from '../../model/decisions/duplicates.ts'
import type { StoredIssue } from '../../model/issues.ts'
import { type AttachmentRecord, omissionOf, stateOf } from '../../model/reports/attachments.ts'
import { isoTime } from '../iso-time.ts'
import { isInline } from './detect-type.ts'

/** A file of a report of this issue. */
export function showAttachment(attachment: AttachmentRecord, issue: StoredIssue): Attachment {
  const { id, reportNumber, name, declaredType, size, sha256, receivedAt } = attachment
  const lastReport = lastReportNumber(issue)
  const state = stateOf(attachment, lastReport)
  const contentType = state === 'received' ? attachment.contentType : null
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
    isInline: isInline(contentType),
    receivedAt: state === 'received' && receivedAt !== null ? isoTime(receivedAt) : null,
  }
}

/** A file of a comment. It is kept as long as the comment. */
export function showCommentAttachment(attachment: AttachmentRecord): CommentAttachment {
  const { id, name, declaredType, size, sha256, contentType, receivedAt } = attachment
  return {
    id,
    name,
    contentType,
    declaredType,
    size,
    sha256,
    state: receivedAt === null ? 'pending' : 'received',
    isInline: isInline(contentType),
    receivedAt: receivedAt === null ? null : isoTime(receivedAt),
  }
}
