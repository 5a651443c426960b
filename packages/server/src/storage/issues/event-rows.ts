import type { EventType } from '@bugle/contract/vocabulary'
import type { Actor, EventRecord, MemberChange, NewEvent } from '../../model/events.ts'
import type { IssueId } from '../../model/ids.ts'
import type { LineOf } from '../../model/transfer/lines.ts'

/** The columns of an event that both databases have. */
export interface EventColumns {
  readonly type: EventType
  readonly at: number
  readonly actor: Actor
  readonly lane: number
  readonly details: string | null
}

/**
 * SQL for the lane that `events e` is seen in; NULL if its issue is gone: what a deleted issue leaves is removed in steps, and
 * nobody sees it meanwhile. Lanes are 0 and 1: an event is hidden if either it or its issue is. `issue` is the column that names
 * the issue, `issueLane` the lane of that issue.
 */
export function shownLane(issue: string, issueLane: string): string {
  return `CASE WHEN ${issue} IS NULL OR e.type = 'issue.deleted' THEN e.lane ELSE e.lane | ${issueLane} END`
}

/** What a row's key says, and which issue it names. */
export interface EventKey {
  readonly position: number
  readonly openPosition: number
  /** `null` where there is none, or none any more. */
  readonly issueId: IssueId | null
  readonly issueNumber: number | null
}

export function toEvent(
  row: EventColumns,
  { position, openPosition, issueId, issueNumber }: EventKey,
): EventRecord {
  const [changes, note, reason, deletedId] = readDetails(row.details)
  return {
    position,
    openPosition,
    type: row.type,
    createdAt: row.at,
    actor: row.actor,
    issueId: issueId ?? deletedId ?? null,
    issueNumber,
    changes,
    note,
    reason,
    ...confirmationOf(row),
  }
}

/** Whether a regression is confirmed; nothing for other events. Before regressions could be unconfirmed, all were delivered. */
export function confirmationOf({ type, details }: Pick<EventColumns, 'type' | 'details'>): {
  readonly confirmed?: boolean
} {
  return type === 'issue.regressed' ? { confirmed: readDetails(details)[4] ?? true } : {}
}

/** The column `details` where {@link confirmationOf} needs it; the rest need not be read to know who wants an event. */
export const REGRESSION_DETAILS = "CASE type WHEN 'issue.regressed' THEN details END AS details"

/** The column that holds whatever most events have not. Of an issue that is gone, the event is all that knows the id. */
export function detailsOf(
  { changes, note, reason, confirmed }: Omit<NewEvent, 'type'>,
  deletedId?: IssueId,
): string | null {
  if (confirmed === false) return JSON.stringify([changes, note, reason, null, confirmed])
  if (deletedId !== undefined) return JSON.stringify([changes, note, reason, deletedId])
  const hasDetails = changes.length > 0 || note !== null || reason !== null
  return hasDetails ? JSON.stringify([changes, note, reason]) : null
}

function readDetails(details: string | null): Details {
  return details === null ? NO_DETAILS : (JSON.parse(details) as Details)
}

type Details = readonly [
  changes: readonly MemberChange[],
  note: string | null,
  reason: string | null,
  deletedId?: IssueId | null,
  confirmed?: boolean,
]
const NO_DETAILS: Details = [[], null, null]

type LineDetails = NonNullable<LineOf<'event'>['details']>

export function toLineDetails(stored: unknown): LineDetails {
  const [changes, note, reason, deletedIssueId = null, confirmed = null] = readDetails(stored as string)
  return { changes: [...changes] as LineDetails['changes'], note, reason, deletedIssueId, confirmed }
}

export function fromLineDetails(said: unknown): string | null {
  const { deletedIssueId, confirmed, ...details } = said as LineDetails
  return detailsOf({ ...details, confirmed: confirmed ?? true }, deletedIssueId ?? undefined)
}
