import type { Attachment } from '@bugle/contract'
import { lastReportNumber } from '../../model/decisions/duplicates.ts'
import type { StoredIssue } from '../../model/issues.ts'
import { type AttachmentRecord, stateOf } from '../../model/reports/attachments.ts'
import { isoTime } from '../iso-time.ts'
import { isInline } from './detect-type.ts'

/** A file of a report of this issue. */
export function showAttachment(attachment: AttachmentRecord, issue: StoredIssue): Attachment {
  const { id, reportNumber, name, declaredType, size, sha256, receivedAt } = attachment
  const state = stateOf(attachment, lastReportNumber(issue))
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
    isInline: isInline(contentType),
    receivedAt: state === 'received' && receivedAt !== null ? isoTime(receivedAt) : null,
  }
}
