import type { Attachment } from '@bugle/contract'

/** A file of a report or of a comment. */
export type ShownFile = Pick<Attachment, 'id' | 'name' | 'size' | 'contentType' | 'isInline' | 'state'> &
  Partial<Pick<Attachment, 'reportNumber' | 'omittedReason'>>
