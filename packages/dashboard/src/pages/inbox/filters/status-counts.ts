import { ISSUE_STATUSES, type IssueCounts, type IssueListItem, type IssueStatus } from '@bugle/contract'

/** How many issues match the search and the filters, in each status; `null` where the server does not know. */
export type StatusCounts = Readonly<IssueCounts['byStatus']>

/** How many there are in these statuses together; no statuses stand for all of them. */
export function countIn(counts: StatusCounts, statuses: readonly IssueStatus[]): number | null {
  const asked = statuses.length === 0 ? ISSUE_STATUSES : statuses
  return asked.reduce<number | null>((sum, status) => {
    const count = counts[status]
    return sum === null || count === null ? null : sum + count
  }, 0)
}

/** What is known of a list's length: its total is `null` if the server does not know it, and `news` arrived since. */
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

/** The counts after an issue has moved, or is gone. */
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

/** The counts, corrected by rows that are all there are in these statuses: they were read a moment apart. */
export function correctCounts(
  counts: StatusCounts,
  statuses: readonly IssueStatus[],
  rows: readonly IssueListItem[],
): StatusCounts {
  const asked = statuses.length === 0 ? ISSUE_STATUSES : statuses
  const counted = asked.map((status) => [status, rows.filter((row) => row.status === status).length])
  return { ...counts, ...Object.fromEntries(counted) }
}
