import { SPAM_DAYS } from '@bugle/contract/vocabulary'
import { dayOf } from '../decisions/count-issue.ts'
import type { IssueId, ProjectId } from '../ids.ts'

const DAY_MS = 86_400_000

/** A sender whose reports are stored as spam. */
export interface BlockedSender {
  /** A hash of the project and the client's address. */
  readonly sender: string
  /** The day of the key that it was hashed with. */
  readonly day: string
}

/** The senders of an issue that are blocked with it. */
export interface BlockCommand {
  readonly projectId: ProjectId
  readonly issueId: IssueId
  /** Only senders of reports since then: the keys of earlier ones are deleted. */
  readonly since: number
}

/** Spam that was marked before is deleted, and senders of reports before are no longer known. */
export function spamKeptSince(now: number): number {
  return now - SPAM_DAYS * DAY_MS
}

/** The first day whose key is still needed. */
export function firstSenderDay(now: number): string {
  return dayOf(spamKeptSince(now))
}
