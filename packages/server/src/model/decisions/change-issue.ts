import { canMove, type IssueStatus, isFinal } from '@bugle/contract/vocabulary'
import type { MemberChange, NewEvent } from '../events.ts'
import type { IssueId, UserId } from '../ids.ts'
import type { FixedIn, IssuePatch, Known, PublishingObstacle, StoredIssue } from '../issues.ts'
import { laneOf } from '../lanes.ts'
import { separated, withDuplicates } from './duplicates.ts'

export type IssueDecision =
  | { readonly kind: 'changed'; readonly issue: StoredIssue; readonly event: NewEvent }
  | { readonly kind: 'unchanged' }
  /** A duplicate has the status that merging gave it. */
  | { readonly kind: 'is-duplicate'; readonly duplicateOf: IssueId }
  | { readonly kind: 'invalid-transition'; readonly from: IssueStatus; readonly to: IssueStatus }
  /** A build number would be left without a version. */
  | { readonly kind: 'incomplete-fix' }
  /** The new assignee may not see the issue. */
  | { readonly kind: 'assignee-refused' }
  | { readonly kind: 'not-published'; readonly reason: PublishingObstacle }

interface Circumstances {
  readonly at: number
  /** Whether the lane the issue would move into has an issue with its fingerprint. */
  readonly isFingerprintTaken: boolean
  /** Who may be assigned to a hidden issue. */
  readonly laneAssignee: UserId | null
  /** The names of labels, by number. */
  readonly labelNames: Readonly<Record<number, string>>
  /** Whether the caller sees hidden issues. */
  readonly seesSecurity: boolean
  /** Whether the project may publish another issue. */
  readonly canPublish: boolean
}

/** Applies a patch to an issue: the changed issue, and one event. */
export function changeIssue(
  issue: StoredIssue,
  patch: IssuePatch,
  circumstances: Circumstances,
): IssueDecision {
  const { at, isFingerprintTaken } = circumstances
  const { note, fixedIn: fixPatch, known: _, ...others } = patch
  const { status = issue.status } = patch
  if (status !== issue.status && issue.duplicateOf !== null)
    return { kind: 'is-duplicate', duplicateOf: issue.duplicateOf }
  if (status !== issue.status && !canMove(issue.status, status))
    return { kind: 'invalid-transition', from: issue.status, to: status }

  const fixedIn = fixPatch === undefined ? issue.fixedIn : mergeFix(issue.fixedIn, fixPatch)
  if (fixedIn === 'incomplete') return { kind: 'incomplete-fix' }
  const assigneeId = assigneeAfter(issue, patch, circumstances)
  if (assigneeId === 'refused') return { kind: 'assignee-refused' }
  const known = knownAfter(issue, patch, circumstances)
  if (typeof known === 'string') return { kind: 'not-published', reason: known }
  const hasSwitchedLane = laneOf(patch.category ?? issue.category) !== laneOf(issue.category)
  // Duplicates are in one lane: an issue that leaves it is merged with none.
  const base = hasSwitchedLane ? withDuplicates(separated(issue), []) : issue
  const { duplicateOf } = base
  const to = patch.status ?? base.status
  const wanted = {
    ...others,
    ...(to !== issue.status && { status: to }),
    ...{ duplicateOf, fixedIn, assigneeId, known },
  }
  const changes = changesBetween(issue, wanted, circumstances.labelNames)
  if (changes.length === 0 && note === undefined) return { kind: 'unchanged' }
  const moved = moveIssue({ ...base, ...wanted }, issue.status, at)
  return {
    kind: 'changed',
    issue: {
      ...moved,
      fingerprint: hasSwitchedLane && isFingerprintTaken ? null : issue.fingerprint,
      editedAt: issue.editedAt ?? (changes.some(isOfText) ? at : null),
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

function isOfText({ member }: MemberChange): boolean {
  return member === 'title' || member === 'description'
}

/**
 * The assignee of an issue that moves into the security lane is removed unless they may see it: hiding an issue must
 * never fail. Only a caller who sees the lane learns that the new assignee does not.
 */
function assigneeAfter(
  issue: StoredIssue,
  { category = issue.category, assigneeId: chosen }: IssuePatch,
  { laneAssignee, seesSecurity }: Circumstances,
): UserId | null | 'refused' {
  const assigneeId = chosen === undefined ? issue.assigneeId : chosen
  const isMovedIn = laneOf(category) !== laneOf(issue.category)
  const isJudged = laneOf(category) === 'security' && (isMovedIn || chosen !== undefined)
  if (!isJudged || assigneeId === null || assigneeId === laneAssignee) return assigneeId
  return chosen === undefined || !seesSecurity ? null : 'refused'
}

/** What is published afterwards, or why it cannot be. An issue that moves into the security lane is unpublished: hiding it must never fail. */
function knownAfter(
  { category: before, known, spamAt }: StoredIssue,
  { category = before, known: patch }: IssuePatch,
  { canPublish }: Circumstances,
): Known | null | PublishingObstacle {
  const isHidden = laneOf(category) === 'security'
  if (patch === undefined) return isHidden ? null : known
  if (patch === null) return null
  if (isHidden) return 'security'
  if (spamAt !== null) return 'spam'
  const { title, text } = { title: null, text: null, ...known, ...patch }
  if (title === null) return 'no-title'
  return known === null && !canPublish ? 'too-many' : { title, text: text ?? '' }
}

/** Updates the times that follow from a status: of the resolution, and of the first changes. */
export function moveIssue(issue: StoredIssue, from: IssueStatus, at: number): StoredIssue {
  if (issue.status === from) return issue
  const isResolved = issue.status === 'resolved'
  return {
    ...issue,
    // Once it is finished there is nothing left to confirm: the next report is judged on its own.
    unconfirmedVersion: isFinal(issue.status) ? null : issue.unconfirmedVersion,
    resolvedAt: isResolved ? at : null,
    firstLeftOpenAt: from === 'open' ? (issue.firstLeftOpenAt ?? at) : issue.firstLeftOpenAt,
    firstResolvedAt: isResolved ? (issue.firstResolvedAt ?? at) : issue.firstResolvedAt,
  }
}

/** As in a merge patch (RFC 7396): absent fields stay, `null` removes. */
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
  wanted: Omit<IssuePatch, 'note' | 'fixedIn' | 'known'> &
    Pick<StoredIssue, 'fixedIn' | 'assigneeId' | 'duplicateOf' | 'known'>,
  labelNames: Readonly<Record<number, string>>,
): readonly MemberChange[] {
  return Object.entries(wanted)
    .map(([member, to]) => ({ member, from: issue[member as keyof typeof wanted], to }))
    .filter(({ from, to }) => JSON.stringify(from) !== JSON.stringify(to))
    .map((change) => recorded(change, labelNames))
}

/** A change as the history keeps it: descriptions are too long, labels have names, and of what is published it has the title. */
function recorded(change: MemberChange, labelNames: Readonly<Record<number, string>>): MemberChange {
  if (change.member === 'description') return { ...change, from: null, to: null }
  if (change.member === 'known') return knownChange(change.from as Known | null, change.to as Known | null)
  if (change.member !== 'labels') return change
  const namesOf = (numbers: unknown) =>
    (numbers as readonly number[]).flatMap((number) => labelNames[number] ?? [])
  return { ...change, from: namesOf(change.from), to: namesOf(change.to) }
}

/** An issue was published, changed or unpublished. */
export function knownChange(from: Known | null, to: Known | null): MemberChange {
  return { member: 'known', from: from?.title ?? null, to: to?.title ?? null }
}
