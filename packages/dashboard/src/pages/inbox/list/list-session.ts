import { ApiProblem } from '@bugle/client'
import {
  DEFAULT_ISSUE_SORT,
  endpoints,
  type IssueListItem,
  type IssuePage,
  MAX_PAGE_SIZE,
} from '@bugle/contract'
import { client } from '../../../api/client.ts'
import { changeRevision, isChanging } from '../changes/change-issues.ts'
import { forEachOf } from '../changes/for-each-of.ts'
import { ignoreServerFailure } from '../changes/ignore-server-failure.ts'
import { type Filters, passesFilters, toQuery } from '../filters/filters.ts'
import { correctCounts, countIn, type StatusCounts, shiftCounts } from '../filters/status-counts.ts'
import { createIssueList, type IssueList, type ListState } from './issue-list.ts'
import { toListItem } from './list-items.ts'

/** The state of the inbox. The header, tabs, rows and pill all use it, so that they are consistent. */
export interface ListSessionState extends ListState {
  /** The counts for each status, with the search and the filters of the list; `undefined` until they are read. */
  readonly counts: StatusCounts | undefined
  /** The number of matching issues that arrived after the list was read. */
  readonly news: number
}

/** What happened to issues, by their ids. */
export type RowChanges = ReadonlyMap<string, 'changed' | 'deleted'>

/** A list as it was when it was opened, and the changes since. */
export interface ListSession {
  /** Identifies the list. */
  readonly name: string
  /** A unique number for each session. */
  readonly serial: number
  /** Whether the same list was open before and is now being read again. */
  readonly isAgain: boolean
  readonly list: IssueList
  subscribe(listener: () => void): () => void
  state(): ListSessionState
  /** Applies counts for the same search and filters that were read elsewhere. */
  adoptCounts(counts: StatusCounts): void
  /** Reads and shows the counts, the news and the changed rows together. Resolves to `false` if it must be repeated. */
  update(changes: RowChanges, signal: AbortSignal): Promise<boolean>
  /** Shows the list from its beginning, including new issues, if `isWanted` still returns true once it is read. */
  showNews(isWanted: () => boolean): Promise<boolean>
}

interface Beginning {
  readonly name: string
  readonly projectId: string
  readonly filters: Filters
  readonly isAgain: boolean
  /** The person who is signed in. */
  readonly me: string | undefined
  readonly onCounts: (counts: StatusCounts) => void
}

/** Data that belongs to a first page and is shown together with it. */
interface PageContext {
  readonly counts: StatusCounts | undefined
  /** The number of the newest issue in the list; newer issues have higher numbers. */
  readonly newest: number
}

let lastSerial = 0

export function createSession({ name, projectId, filters, isAgain, me, onCounts }: Beginning): ListSession {
  const { status: _, sort: __, ...scope } = toQuery(filters)
  const query = { ...toQuery(filters), projectId, pageSize: MAX_PAGE_SIZE }
  const listeners = new Set<() => void>()
  const contexts = new WeakMap<IssuePage, PageContext>()
  let counts: StatusCounts | undefined
  let newest = 0
  let newer: readonly IssueListItem[] = []
  /** Whether the counts that were read last include changes that the rows do not show yet. */
  let wasAhead = false
  let state: ListSessionState

  async function readNewest(pageSize: number, signal: AbortSignal) {
    const input = { query: { ...query, sort: DEFAULT_ISSUE_SORT, pageSize }, signal }
    return (await client.call(endpoints.listIssues, input)).body.data
  }

  async function readCounts(signal: AbortSignal): Promise<StatusCounts | undefined> {
    try {
      const input = { query: { ...scope, projectId }, signal }
      return (await client.call(endpoints.countIssues, input)).body.byStatus
    } catch (error) {
      ignoreServerFailure(error)
      return undefined
    }
  }

  async function readFirst(signal: AbortSignal): Promise<IssuePage> {
    const isSorted = filters.sort !== DEFAULT_ISSUE_SORT
    // Read before the rows: issues that arrive in between are then in the list and not lost.
    const [first] = isSorted ? await readNewest(1, signal) : []
    const [{ body }, read] = await Promise.all([
      client.call(endpoints.listIssues, { query, signal }),
      readCounts(signal),
    ])
    const isWhole = body.pagination.nextCursor === null
    contexts.set(body, {
      counts: read && isWhole ? correctCounts(read, filters.status, body.data) : read,
      newest: (isSorted ? first : body.data[0])?.issueNumber ?? 0,
    })
    return body
  }

  const list = createIssueList(
    async (cursor, signal) => {
      if (cursor === undefined) return readFirst(signal)
      return (await client.call(endpoints.listIssues, { query: { ...query, cursor }, signal })).body
    },
    {
      onFirstPage(page) {
        const around = contexts.get(page)
        newest = around?.newest ?? 0
        newer = []
        setCounts(around?.counts)
      },
      onStatus(from, to) {
        if (counts !== undefined) setCounts(shiftCounts(counts, from, to))
      },
    },
  )
  list.subscribe(changed)
  changed()

  function setCounts(next: StatusCounts | undefined): void {
    counts = next
    if (next !== undefined) onCounts(next)
  }

  function changed(): void {
    state = { ...list.state(), counts, news: countNews() }
    for (const listener of listeners) listener()
  }

  /** If all rows are loaded, the difference between counts and rows; otherwise the number of newer issues. */
  function countNews(): number {
    if (!list.state().isRead) return 0
    const inAll = counts === undefined ? null : countIn(counts, filters.status)
    if (inAll === null || !list.isComplete())
      return newer.filter(({ id, issueNumber }) => issueNumber > newest && list.indexOf(id) < 0).length
    return Math.max(0, inAll - matchingRows())
  }

  function matchingRows(): number {
    let rows = 0
    for (const issue of list.items()) if (passesFilters(issue, filters, me)) rows++
    return rows
  }

  /** Whether counts are lower than the number of rows: an issue has changed since its row was read. */
  function isAhead(read: StatusCounts): boolean {
    const inAll = countIn(read, filters.status)
    return inAll !== null && list.isComplete() && inAll < matchingRows()
  }

  return {
    name,
    serial: ++lastSerial,
    isAgain,
    list,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    state: () => state,
    adoptCounts(adopted) {
      counts = adopted
      changed()
    },
    async update(changes, signal) {
      const revision = changeRevision()
      const [rows, read, found] = await Promise.all([
        readRows(changes, signal),
        readCounts(signal),
        list.isComplete() ? [] : readNewest(MAX_PAGE_SIZE, signal),
      ])
      if (signal.aborted) return true
      // Skips issues that this page is changing: an older response would show the old state again.
      for (const [id, row] of rows) if (!isChanging(id)) list.patch(id, row)
      newer = found
      const isSettled = revision !== undefined && revision === changeRevision()
      // The event of the change is on its way. Waits for it once, so that header and rows agree.
      const waits = isSettled && !wasAhead && read !== undefined && isAhead(read)
      wasAhead = waits
      if (isSettled && read !== undefined && !waits) setCounts(read)
      changed()
      return isSettled && !waits
    },
    showNews: (isWanted) => list.restart(isWanted),
  }
}

/** The issues as they are now; `gone` if they were deleted or are no longer visible. */
async function readRows(
  changes: RowChanges,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, IssueListItem | 'gone'>> {
  const rows = new Map<string, IssueListItem | 'gone'>()
  await forEachOf(changes, async ([id, change]) => {
    if (change === 'deleted') return void rows.set(id, 'gone')
    try {
      const { body } = await client.call(endpoints.retrieveIssue, { params: { id }, signal })
      rows.set(id, toListItem(body))
    } catch (error) {
      if (error instanceof ApiProblem && error.status === 404) rows.set(id, 'gone')
      else ignoreServerFailure(error)
    }
  })
  return rows
}
