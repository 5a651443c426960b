import type { Attachment, OmittedReason } from '@bugle/contract'

const OMITTED: Readonly<Record<OmittedReason, string>> = {
  'newer-reports': 'Not kept',
  'server-busy': 'Not taken: the server was busy',
  'rate-limited': 'Not taken: too many uploads',
  'no-space': 'Not taken: no space left',
}

/** Why a file cannot be opened. Files of comments are never omitted. */
export function absenceOf({ omittedReason = null }: Partial<Pick<Attachment, 'omittedReason'>>): string {
  return omittedReason === null ? 'Not received yet' : OMITTED[omittedReason]
}
