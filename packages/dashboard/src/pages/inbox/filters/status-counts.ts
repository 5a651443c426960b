import { ISSUE_STATUSES, type IssueCounts, type IssueListItem, type IssueStatus } from '@bugle/contract'

/** How many issues match the search and the filters, by status; `null` if the server does not know. */
export type StatusCounts = Readonly<IssueCounts['byStatus']>

/** The total for these statuses; an empty list means all. */
export function countIn(counts: StatusCounts, statuses: readonly IssueStatus[]): number | null {
  const asked = statuses.length === 0 ? ISSUE_STATUSES : statuses
  return asked.reduce<number | null>((sum, status) => {
    const count = counts[status]
    return sum === null || count === null ? null : sum + count
  }, 0)
}

/** The statuses of issues that match, as far as it is known. */
export function statusesIn(
  counts: StatusCounts | undefined,
  statuses: readonly IssueStatus[],
): readonly { readonly status: IssueStatus }[] {
  const asked = statuses.length === 0 ? ISSUE_STATUSES : statuses
  return asked.filter((status) => counts?.[status] !== 0).map((status) => ({ status }))
}

/** The known length of a list: its total, `null` if the server does not know it, and `news`, the number of issues that arrived since. */
interface KnownCounts {
  readonly counts?: StatusCounts | undefined
  readonly total: number | null
  readonly news: number
}

/** The one number that header, tab and title show for these statuses; `null` if it is unknown. */
export function shownCount(
  { counts, total, news }: KnownCounts,
  statuses: readonly IssueStatus[],
): number | null {
  const count = counts === undefined ? null : countIn(counts, statuses)
  return count ?? (total === null ? null : total + news)
}

/** The counts after an issue has changed its status or was deleted. */
export function shiftCounts(
  counts: StatusCounts,
  from: IssueStatus,
  to: IssueStatus | undefined,
): StatusCounts {
  const add = (status: IssueStatus, by: number) => {
    const count = counts[status]
    return { [status]: count === null ? null : Math.max(0, count + by) }
  }
  return { ...counts, ...add(from, -1), ...(to !== undefined && add(to, 1)) }
}

/** The counts, corrected by the rows if those are complete for these statuses, because the two are read separately. */
export function correctCounts(
  counts: StatusCounts,
  statuses: readonly IssueStatus[],
  rows: readonly IssueListItem[],
): StatusCounts {
  const asked = statuses.length === 0 ? ISSUE_STATUSES : statuses
  const counted = asked.map((status) => [status, rows.filter((row) => row.status === status).length])
  return { ...counts, ...Object.fromEntries(counted) }
}
