import type { IssueListItem, IssuePage, IssueStatus } from '@bugle/contract'

/** The number of pages to keep. Those farthest from the screen are dropped, and read again when needed. */
const MAX_PAGES = 40
/** The number of rows to read ahead of the screen. */
const AHEAD_ROWS = 60
/** How many rows beyond those read so far the scrollbar may reach. */
const REACH_ROWS = 2_000

export type ReadPage = (cursor: string | undefined, signal: AbortSignal) => Promise<IssuePage>

/** A row: an issue, `gone` if it was removed, or `undefined` if it is not loaded yet. */
export type Row = IssueListItem | 'gone' | undefined

export interface ListState {
  /** The number of rows to draw, including those not loaded yet. */
  readonly count: number
  /** The total number of matches, if the server knows it. */
  readonly total: number | null
  readonly isRead: boolean
  readonly error: unknown
}

/** A list of issues as it is scrolled through. It is a snapshot: rows change their content, never their position. */
export interface IssueList {
  subscribe(listener: () => void): () => void
  state(): ListState
  row(index: number): Row
  indexOf(id: string): number
  /** Loads these rows and some of the following ones. */
  show(first: number, last: number): void
  /** Retries a failed read. */
  retry(): void
  /** Updates the content of an issue, or marks it as gone. */
  patch(id: string, change: Partial<IssueListItem> | 'gone'): void
  /** Reads the rows on the screen again. Resolves to the issues among them that the list no longer has. */
  update(): Promise<readonly string[]>
  /** Reads the list from its start, and replaces the old one if `isWanted()`. Resolves to whether it was replaced. */
  restart(isWanted: () => boolean): Promise<boolean>
  /** Whether every row of the list is loaded. */
  isComplete(): boolean
  /** The issues that are loaded. */
  items(): IterableIterator<IssueListItem>
  close(): void
}

interface PagePlace {
  readonly cursor: string | undefined
  readonly first: number
  /** The ids of its rows, which are kept even when the page itself is dropped. */
  readonly ids: readonly string[]
}

const NOWHERE: PagePlace = { cursor: undefined, first: 0, ids: [] }

interface ListEvents {
  /** Called when the first page has been read and is shown. */
  readonly onFirstPage?: (page: IssuePage) => void
  /** Called when an issue's status differs from its row; `to` is `undefined` if the issue was deleted. */
  readonly onStatus?: (from: IssueStatus, to: IssueStatus | undefined) => void
}

export function createIssueList(readPage: ReadPage, events: ListEvents = {}): IssueList {
  const listeners = new Set<() => void>()
  const closing = new AbortController()
  const places: PagePlace[] = []
  const pages = new Map<number, Row[]>()
  const listed = new Set<string>()
  const reading = new Set<number>()
  let nextCursor: string | null | undefined
  let readRows = 0
  let total: number | null = null
  let error: unknown
  let wanted = { first: 0, last: 0 }
  /** Incremented whenever the list is restarted, so that responses for an earlier list are ignored. */
  let beginnings = 0
  let state: ListState = { count: 0, total: null, isRead: false, error: undefined }

  function changed(): void {
    const isRead = places.length > 0
    const reach = nextCursor === null ? 0 : total === null ? AHEAD_ROWS : REACH_ROWS
    const most = nextCursor === null || total === null ? Number.POSITIVE_INFINITY : Math.max(total, readRows)
    state = { count: isRead ? Math.min(readRows + reach, most) : 0, total, isRead, error }
    for (const listener of listeners) listener()
  }

  /** Reads missing pages one after the other, because each page has the cursor of the next. */
  async function work(): Promise<void> {
    for (;;) {
      const index = nextMissing()
      if (index === undefined || closing.signal.aborted || error !== undefined) return
      reading.add(index)
      const beginning = beginnings
      try {
        const place = places[index]
        if (place === undefined) {
          const page = await readPage(cursorOf(index), closing.signal)
          if (beginning === beginnings) append(page)
        } else {
          const rows = await readAgain(place)
          if (beginning === beginnings) pages.set(index, rows)
        }
        forget()
      } catch (failure) {
        if (closing.signal.aborted) return
        if (beginning === beginnings) error = failure
      } finally {
        reading.delete(index)
      }
      changed()
    }
  }

  function cursorOf(index: number): string | undefined {
    return index < places.length ? places[index]?.cursor : (nextCursor ?? undefined)
  }

  function nextMissing(): number | undefined {
    // One at a time is enough: a page has twice as many rows as a screen.
    if (reading.size > 0) return undefined
    const forgotten = places.findIndex((place, index) => isNear(place) && !pages.has(index))
    if (forgotten >= 0) return forgotten
    return nextCursor !== null && readRows <= wanted.last + AHEAD_ROWS ? places.length : undefined
  }

  function isNear({ first, ids }: PagePlace): boolean {
    return first <= wanted.last && first + ids.length > wanted.first
  }

  function append(page: IssuePage): void {
    const { data, pagination } = page
    if (places.length === 0) events.onFirstPage?.(page)
    // An issue that changed while the list was being read may appear again further down.
    const rows = data.filter(({ id }) => !listed.has(id))
    const ids = rows.map(({ id }) => id)
    for (const id of ids) listed.add(id)
    pages.set(places.length, rows)
    places.push({ cursor: cursorOf(places.length), first: readRows, ids })
    readRows += rows.length
    nextCursor = pagination.nextCursor
    total = pagination.totalCount ?? total
  }

  /**
   * Reads a dropped page again, with each row in its former position. The server returns what follows the cursor now,
   * so rows may have left or entered the page.
   */
  async function readAgain({ cursor, ids }: PagePlace): Promise<Row[]> {
    const { data, pagination } = await readPage(cursor, closing.signal)
    const found = new Map(data.map((issue) => [issue.id, issue]))
    const own = new Set(ids)
    const isComplete =
      ids.every((id) => found.has(id)) || data.some(({ id }) => listed.has(id) && !own.has(id))
    // New rows have pushed the last ones onto the next page.
    if (!isComplete && pagination.nextCursor !== null) {
      const next = await readPage(pagination.nextCursor, closing.signal)
      for (const issue of next.data) found.set(issue.id, issue)
    }
    return ids.map((id) => found.get(id) ?? 'gone')
  }

  function forget(): void {
    if (pages.size <= MAX_PAGES) return
    const middle = (wanted.first + wanted.last) / 2
    const distance = (index: number) => Math.abs((places[index]?.first ?? 0) - middle)
    // Not the first page: without a cursor it would start with newer issues.
    const farthest = [...pages.keys()]
      .filter((index) => index > 0)
      .reduce((far, index) => (distance(index) > distance(far) ? index : far))
    pages.delete(farthest)
  }

  /** The page that a row is on, by bisection. */
  function pageOf(row: number): number {
    let low = 0
    let high = places.length
    while (low < high) {
      const middle = (low + high) >> 1
      const { first, ids } = places[middle] ?? NOWHERE
      if (first + ids.length <= row) low = middle + 1
      else high = middle
    }
    return low
  }

  function find(
    id: string,
  ): { readonly rows: Row[]; readonly offset: number; readonly index: number } | undefined {
    for (const [page, rows] of pages) {
      const offset = rows.findIndex((row) => typeof row === 'object' && row.id === id)
      if (offset >= 0) return { rows, offset, index: (places[page]?.first ?? 0) + offset }
    }
    return undefined
  }

  function patch(id: string, change: Partial<IssueListItem> | 'gone'): void {
    const found = find(id)
    const row = found?.rows[found.offset]
    if (found === undefined || typeof row !== 'object') return
    const next = change === 'gone' ? 'gone' : { ...row, ...change }
    found.rows[found.offset] = next
    const status = next === 'gone' ? undefined : next.status
    if (status !== row.status) events.onStatus?.(row.status, status)
    changed()
  }

  void work()
  return {
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    state: () => state,
    row(index) {
      const page = pageOf(index)
      return pages.get(page)?.[index - (places[page]?.first ?? 0)]
    },
    indexOf: (id) => find(id)?.index ?? -1,
    show(first, last) {
      wanted = { first, last }
      void work()
    },
    retry() {
      error = undefined
      changed()
      void work()
    },
    patch,
    async update() {
      const near = [...pages.keys()].filter((index) => isNear(places[index] ?? NOWHERE))
      const known = near.flatMap((index) => pages.get(index) ?? []).filter((row) => typeof row === 'object')
      const read = await Promise.all(near.map((index) => readPage(cursorOf(index), closing.signal)))
      const found = new Map(read.flatMap(({ data }) => data).map((issue) => [issue.id, issue]))
      for (const issue of found.values()) patch(issue.id, issue)
      return known.filter(({ id }) => !found.has(id)).map(({ id }) => id)
    },
    async restart(isWanted) {
      const page = await readPage(undefined, closing.signal)
      if (closing.signal.aborted || !isWanted()) return false
      beginnings++
      places.length = 0
      pages.clear()
      listed.clear()
      readRows = 0
      nextCursor = undefined
      error = undefined
      append(page)
      changed()
      void work()
      return true
    },
    isComplete: () => nextCursor === null && pages.size === places.length,
    *items() {
      for (const rows of pages.values()) for (const row of rows) if (typeof row === 'object') yield row
    },
    close: () => closing.abort(),
  }
}
