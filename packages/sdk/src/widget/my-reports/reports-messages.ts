import { PUBLIC_STATUS_NAMES } from '@bugle/contract/vocabulary'
import { FIXED_IN } from '../suggestions/suggestions-messages.ts'

/** The texts of "My reports". */
export interface ReportsMessages {
  readonly heading: string
  readonly back: string
  /** By the status of a report. */
  readonly statuses: Readonly<Record<string, string>>
  /** Comes before a version. */
  readonly fixedIn: string
  /** Comes before the number of unread replies. */
  readonly unread: string
  /** Of a report whose title is no longer kept. */
  readonly untitled: string
  readonly loading: string
  readonly empty: string
  readonly emptyHint: string
  /** Why the list may be out of date. */
  readonly offline: string
  readonly outdated: string
  readonly team: string
  readonly you: string
  readonly edited: string
  readonly noMessages: string
  readonly earlier: string
  readonly message: string
  readonly send: string
  /** The states of a message. Without a text for `queued`, that of the form is used. */
  readonly queued?: string
  readonly refused: string
  readonly overflow: string
  readonly edit: string
  readonly discard: string
  /** The page that shows the same. */
  readonly openPage: string
  readonly copyLink: string
  readonly copied: string
  readonly linkHint: string
}

export const ENGLISH: ReportsMessages = {
  heading: 'My reports',
  back: 'Back',
  statuses: PUBLIC_STATUS_NAMES,
  fixedIn: FIXED_IN,
  unread: 'New replies: ',
  untitled: 'Report',
  loading: 'Loading…',
  empty: 'You have not reported anything yet.',
  emptyHint: 'The status of your reports and the replies appear here.',
  offline: 'You are offline. This may be out of date.',
  outdated: 'The server cannot be reached. This may be out of date.',
  team: 'Team',
  you: 'You',
  edited: 'edited',
  noMessages: 'No replies yet. You can add something here.',
  earlier: 'Earlier messages are not shown.',
  message: 'Your message',
  send: 'Send',
  refused: 'This message was not accepted.',
  overflow: 'Too many messages are waiting to be sent.',
  edit: 'Edit',
  discard: 'Discard',
  openPage: 'Open as a page',
  copyLink: 'Copy link',
  copied: 'Copied',
  linkHint: 'Keep the link to yourself: it gives access to your reports.',
}
