import { canMove, type IssueStatus, isFinal } from '@bugle/contract/vocabulary'
import type { MemberChange, NewEvent } from '../events.ts'
import type { FixedIn, IssuePatch, StoredIssue } from '../issues.ts'
import { laneOf } from '../lanes.ts'

export type IssueDecision =
  | { readonly kind: 'changed'; readonly issue: StoredIssue; readonly event: NewEvent }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'invalid-transition'; readonly from: IssueStatus; readonly to: IssueStatus }
  /** A build number would be left without a version. */
  | { readonly kind: 'incomplete-fix' }

interface Circumstances {
  readonly at: number
  /** Whether the lane the issue would move into has an issue with its fingerprint. */
  readonly isFingerprintTaken: boolean
}

/** What a patch makes of an issue: the issue after it and the one event that says so. */
export function changeIssue(
  issue: StoredIssue,
  patch: IssuePatch,
  { at, isFingerprintTaken }: Circumstances,
): IssueDecision {
  const { note, fixedIn: fixPatch, ...others } = patch
  const to = patch.status ?? issue.status
  if (to !== issue.status && !canMove(issue.status, to))
    return { kind: 'invalid-transition', from: issue.status, to }

  const fixedIn = fixPatch === undefined ? issue.fixedIn : mergeFix(issue.fixedIn, fixPatch)
  if (fixedIn === 'incomplete') return { kind: 'incomplete-fix' }
  const wanted = { ...others, fixedIn }
  const changes = changesBetween(issue, wanted)
  if (changes.length === 0 && note === undefined) return { kind: 'unchanged' }
  const moved = moveIssue({ ...issue, ...wanted }, issue.status, at)
  const hasSwitchedLane = laneOf(moved.category) !== laneOf(issue.category)
  return {
    kind: 'changed',
    issue: {
      ...moved,
      fingerprint: hasSwitchedLane && isFingerprintTaken ? null : issue.fingerprint,
      updatedAt: at,
      version: issue.version + 1,
    },
    event: {
      type: to === issue.status ? 'issue.updated' : 'issue.status_changed',
      changes,
      note: note ?? null,
      reason: null,
    },
  }
}

/** Keeps the moments that follow from a status: of its resolution, and of its firsts. */
export function moveIssue(issue: StoredIssue, from: IssueStatus, at: number): StoredIssue {
  if (issue.status === from) return issue
  const isResolved = issue.status === 'resolved'
  return {
    ...issue,
    // Once the work on it has ended there is nothing left to confirm: the next report is judged by itself.
    unconfirmedVersion: isFinal(issue.status) ? null : issue.unconfirmedVersion,
    resolvedAt: isResolved ? at : null,
    firstLeftOpenAt: from === 'open' ? (issue.firstLeftOpenAt ?? at) : issue.firstLeftOpenAt,
    firstResolvedAt: isResolved ? (issue.firstResolvedAt ?? at) : issue.firstResolvedAt,
  }
}

/** As a merge patch says (RFC 7396): what is absent stays, what is `null` goes. */
function mergeFix(
  fix: FixedIn | null,
  patch: NonNullable<IssuePatch['fixedIn']> | null,
): FixedIn | null | 'incomplete' {
  if (patch === null) return null
  const { appVersion, buildNumber } = { appVersion: null, buildNumber: null, ...fix, ...patch }
  if (appVersion !== null) return { appVersion, buildNumber }
  return buildNumber === null ? null : 'incomplete'
}

function changesBetween(
  issue: StoredIssue,
  wanted: Omit<IssuePatch, 'note' | 'fixedIn'> & Pick<StoredIssue, 'fixedIn'>,
): readonly MemberChange[] {
  return Object.entries(wanted)
    .map(([member, to]) => ({ member, from: issue[member as keyof typeof wanted], to }))
    .filter(({ from, to }) => JSON.stringify(from) !== JSON.stringify(to))
    .map((change) => (change.member === 'description' ? { ...change, from: null, to: null } : change))
}
