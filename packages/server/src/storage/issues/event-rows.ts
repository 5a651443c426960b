import type { EventType } from '@bugle/contract/vocabulary'
import type { Actor, EventRecord, MemberChange, NewEvent } from '../../model/events.ts'
import type { IssueId } from '../../model/ids.ts'
import type { LineOf } from '../../model/transfer/lines.ts'
import { SPAM_CODE } from './lane-codes.ts'

/** Events that reports cause, of which an issue may have any number. They expire, and only the others move with such an issue. */
const REPORT_EVENTS: readonly EventType[] = ['issue.reported', 'attachment.received']

export function isReportEvent({ type }: { readonly type: EventType }): boolean {
  return REPORT_EVENTS.includes(type)
}

/** SQL for events of any other type. Without `IN`, so that SQLite sees that an index without further reports has all of them. */
export const IS_NO_REPORT_EVENT = REPORT_EVENTS.map((type) => `type <> '${type}'`).join(' AND ')

/** The columns of an event that both databases have. */
export interface EventColumns {
  readonly type: EventType
  readonly at: number
  readonly actor: Actor
  readonly lane: number
  readonly details: string | null
}

/**
 * SQL for the lane that `events e` is seen in; NULL if its issue was deleted: the rows of a deleted issue are
 * removed in steps, and are hidden until then. The codes of lanes are bits: an event is hidden if either it or its issue is. Of an issue that is
 * spam, only the event that says so is shown. `issue` is the column that names the issue, `issueLane` the code of that issue.
 */
export function shownLane(issue: string, issueLane: string): string {
  return `CASE WHEN ${issue} IS NULL OR e.type = 'issue.deleted' THEN e.lane
    WHEN e.type = 'issue.marked_as_spam' THEN e.lane | ${issueLane} % ${SPAM_CODE} ELSE e.lane | ${issueLane} END`
}

/** The fields in a row's key, and the issue it refers to. */
export interface EventKey {
  readonly position: number
  readonly openPosition: number
  /** `null` if there is none, or it was removed. */
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

/** The column `details` if {@link confirmationOf} needs it; the other columns do not matter for whether a webhook receives an event. */
export const REGRESSION_DETAILS = "CASE type WHEN 'issue.regressed' THEN details END AS details"

/** The column for fields that most events do not have. Only the event knows the id of a deleted issue. */
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
