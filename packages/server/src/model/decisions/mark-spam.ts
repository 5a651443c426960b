import type { MemberChange, NewEvent } from '../events.ts'
import type { StoredIssue } from '../issues.ts'
import { knownChange, moveIssue } from './change-issue.ts'
import { separated, withDuplicates } from './duplicates.ts'

interface SpamMark {
  readonly isSpam: boolean
  readonly at: number
  /** Whether another issue has its fingerprint where it would move. */
  readonly isFingerprintTaken: boolean
}

/** The issue with or without the mark, and one event; `undefined` if nothing changes. */
export function markSpam(
  issue: StoredIssue,
  { isSpam, at, isFingerprintTaken }: SpamMark,
): { readonly issue: StoredIssue; readonly event: NewEvent } | undefined {
  if ((issue.spamAt !== null) === isSpam) return undefined
  // Spam is never merged: its reports must not count for another issue, nor hide those of others.
  const alone = withDuplicates(separated(issue), [])
  return {
    issue: {
      ...moveIssue(alone, issue.status, at),
      spamAt: isSpam ? at : null,
      known: null,
      fingerprint: isFingerprintTaken ? null : issue.fingerprint,
      updatedAt: at,
      version: issue.version + 1,
    },
    event: {
      type: isSpam ? 'issue.marked_as_spam' : 'issue.unmarked_as_spam',
      changes: [
        ...SEPARATED.map((member): MemberChange => ({ member, from: issue[member], to: alone[member] })),
        knownChange(issue.known, null),
      ].filter(({ from, to }) => from !== to),
      note: null,
      reason: null,
    },
  }
}

/** What changes when a duplicate becomes an issue of its own. */
const SEPARATED = ['duplicateOf', 'status'] as const
