/** A report of the person who uses the app, as the server shows it to them. */
export interface MyReport {
  readonly id: string
  /** The title, as this person submitted it; `null` if it is no longer kept. */
  readonly title: string | null
  /** `open`, `acknowledged`, `in_progress`, `resolved`, `closed` or `wontfix`. */
  readonly status: string
  readonly receivedAt: string
  /** The release that contains the fix, once it is known. */
  readonly fixedIn: { readonly appVersion: string; readonly buildNumber: string | null } | null
  readonly replyCount: number
  readonly unreadCount: number
  readonly lastReplyAt: string | null
}

/** The reports of the person who uses the app. */
export interface MyReports {
  /** The newest 100, newest first. */
  readonly reports: readonly MyReport[]
  /** The number of unread replies to all of them. */
  readonly unreadCount: number
  /** `false`: this is what the device has stored, because the server has not responded since the start or to the last request. */
  readonly isCurrent: boolean
}

/** An entry of a conversation. The text is untrusted: show it as text, or as a safe subset of Markdown. */
export interface Message {
  readonly id: string
  readonly from: 'reporter' | 'team'
  readonly text: string
  readonly createdAt: string
  readonly editedAt: string | null
  /** `queued`: stored, and sent later. `refused`: the server does not accept it. Absent once it has arrived. */
  readonly state?: 'queued' | 'refused'
}

/** The conversation about a report. */
export interface Conversation {
  /** Oldest first. */
  readonly messages: readonly Message[]
  /** Whether earlier messages were left out. */
  readonly hasEarlier: boolean
}

/** The result of a message. `queued` means that it is stored and will be sent. */
export type MessageResult =
  | { readonly status: 'sent' | 'queued'; readonly id: string }
  /**
   * `invalid`: it is blank, too long, or not about a report of this person. `overflow`: too many messages are queued.
   * `refused`: the server does not accept it.
   */
  | { readonly status: 'dropped'; readonly reason: 'invalid' | 'overflow' | 'refused' }

/** What the person who uses the app has reported, and what the team has replied. None of its functions throws or rejects. */
export interface Conversations {
  /** The reports of the current person, also offline. Returns the same object until something changes. */
  read(): MyReports
  /** The conversation about a report, with messages that are still queued. Returns the same object until something changes. */
  readMessages(reportId: string): Conversation
  /** Calls back whenever `read` or `readMessages` return something else. Returns a function that stops it. */
  subscribe(listener: () => void): () => void
  /** Asks the server now. Resolves to whether it has responded. */
  refresh(): Promise<boolean>
  /** Keeps a conversation up to date while it is shown. Returns a function to call when it no longer is. */
  open(reportId: string): () => void
  /** Writes to the team, at most 4,096 characters. The message is stored, and sent once. */
  send(reportId: string, text: string): Promise<MessageResult>
  /** Removes a message that the server has refused. */
  discard(messageId: string): void
  /** Marks all replies shown by `readMessages` as read. */
  markRead(reportId: string): void
  /**
   * The address of a page that shows the same, for the person to keep; `undefined` until they have reported something. It
   * contains their secret: anyone who has it can read their reports, and write in their name.
   */
  link(): string | undefined
  /** Removes what is stored about the current person from this device. Their reports can no longer be followed on it. */
  forget(): Promise<void>
  /** Stops asking the server, and following new reports. */
  stop(): void
}
