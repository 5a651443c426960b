import type { Attachment, OmittedReason } from '@bugle/contract'

const OMITTED: Readonly<Record<OmittedReason, string>> = {
  'newer-reports': 'Not kept',
  'server-busy': 'Not stored: server busy',
  'rate-limited': 'Not stored: upload limit reached',
  'no-space': 'Not stored: no space left',
}

interface AbsentFile extends Pick<Attachment, 'state'> {
  /** Files of comments are never omitted. */
  readonly omittedReason?: Attachment['omittedReason']
}

/** Why a file cannot be shown. */
export function absenceOf({ state, omittedReason = null }: AbsentFile): string {
  if (state === 'damaged') return 'Damaged on the server'
  return omittedReason === null ? 'Not received yet' : OMITTED[omittedReason]
}

/** The server checks a damaged file again with every download: an operator may have restored it. */
export function isDownloadable(state: Attachment['state']): boolean {
  return state === 'received' || state === 'damaged'
}
