import type { IssueListItem, IssuePage } from '@bugle/contract'
import { describe, expect, it } from 'vitest'
import { createIssueList, type IssueList, type ListState } from './issue-list.ts'

const PAGE_ROWS = 10

/** A server with issues whose cursors name the next issue, and a record of the requests. Like the real server, it fills each page with the issues after the cursor. */
function serve(count: number, { total = count as number | null } = {}) {
  const asked: (string | undefined)[] = []
  const gone = new Set<number>()
  let failures = 0
  async function readPage(cursor: string | undefined): Promise<IssuePage> {
    asked.push(cursor)
    if (failures-- > 0) throw new Error('away')
    const numbers: number[] = []
    let next = Number(cursor ?? 0)
    for (; next < count && numbers.length < PAGE_ROWS; next++) if (!gone.has(next)) numbers.push(next)
    const nextCursor = next < count ? String(next) : null
    const pagination = {
      page: null,
      pageSize: PAGE_ROWS,
      hasMore: nextCursor !== null,
      nextCursor,
      totalCount: total,
    }
    return { data: numbers.map(issue), pagination }
  }
  return { readPage, asked, gone, failNext: (times: number) => (failures = times) }
}

function issue(issueNumber: number): IssueListItem {
  return { id: `iss_${issueNumber}`, issueNumber, status: 'open' } as IssueListItem
}

async function until(list: IssueList, isSo: (state: ListState) => boolean): Promise<void> {
  if (isSo(list.state())) return
  await new Promise<void>((resolve) => {
    const leave = list.subscribe(() => {
      if (!isSo(list.state())) return
      leave()
      resolve()
    })
  })
}

function numbersOf(list: IssueList): readonly number[] {
  return [...list.items()].map(({ issueNumber }) => issueNumber)
}

const hasRow = (list: IssueList, index: number) => () => list.row(index) !== undefined

describe('a list of issues', () => {
  it('reads ahead of the screen and no further', async () => {
    const { readPage, asked } = serve(1_000)
    const list = createIssueList(readPage)
    await until(list, hasRow(list, 60))
    expect(asked).toHaveLength(7)
    list.show(0, 30)
    await until(list, hasRow(list, 90))
    expect(asked).toHaveLength(10)
  })

  it('gives each row its position, and the scrollbar its height', async () => {
    const list = createIssueList(serve(1_000).readPage)
    await until(list, hasRow(list, 60))
    expect(list.row(42)).toMatchObject({ issueNumber: 42 })
    expect(list.indexOf('iss_42')).toBe(42)
    expect(list.row(500)).toBeUndefined()
    expect(list.state()).toMatchObject({ count: 1_000, total: 1_000, isRead: true })
  })

  it('reaches a little further than it has read if the total is unknown', async () => {
    const list = createIssueList(serve(1_000, { total: null }).readPage)
    await until(list, hasRow(list, 60))
    expect(list.state().count).toBe(130)
  })

  it('is as long as the number of issues, and may be empty', async () => {
    const short = createIssueList(serve(13).readPage)
    await until(short, ({ count }) => count === 13)
    const empty = createIssueList(serve(0).readPage)
    await until(empty, ({ isRead }) => isRead)
    expect(empty.state()).toMatchObject({ count: 0, total: 0 })
  })

  it('drops distant pages and reads them again, with each row in its position', async () => {
    const { readPage, asked, gone } = serve(2_000)
    const list = createIssueList(readPage)
    list.show(1_900, 1_930)
    await until(list, hasRow(list, 1_930))
    expect(list.row(500)).toBeUndefined()
    expect(list.row(0)).toMatchObject({ issueNumber: 0 })
    expect([...list.items()].length).toBeLessThanOrEqual(40 * PAGE_ROWS)

    gone.add(505)
    const before = asked.length
    list.show(500, 509)
    await until(list, hasRow(list, 509))
    expect(asked.slice(before)).toEqual(['500'])
    expect(list.row(510)).toBeUndefined()
    expect(list.row(505)).toBe('gone')
    for (const index of [504, 506, 509]) expect(list.row(index)).toMatchObject({ issueNumber: index })
    list.show(510, 519)
    await until(list, hasRow(list, 519))
    expect(numbersOf(list).filter((number) => number === 510)).toHaveLength(1)
  })

  it('keeps the position of each row when new ones have arrived in between', async () => {
    const { readPage, asked, gone } = serve(2_000)
    for (const number of [501, 503]) gone.add(number)
    const list = createIssueList(readPage)
    list.show(1_900, 1_930)
    await until(list, hasRow(list, 1_930))
    gone.clear()
    const before = asked.length
    list.show(500, 509)
    await until(list, hasRow(list, 509))
    expect(asked.slice(before)).toEqual(['500', '510'])
    const rows = Array.from({ length: 10 }, (_, row) => list.row(500 + row))
    expect(rows).toMatchObject(
      [500, 502, 504, 505, 506, 507, 508, 509, 510, 511].map((issueNumber) => ({ issueNumber })),
    )
  })

  it('shows a row once, even if it appears again further down', async () => {
    const { readPage } = serve(100)
    const list = createIssueList(async (cursor) => {
      const page = await readPage(cursor)
      // As if its priority had been lowered while the list is read in that order.
      return cursor === '20' ? { ...page, data: [issue(3), ...page.data] } : page
    })
    await until(list, hasRow(list, 60))
    expect(numbersOf(list).filter((number) => number === 3)).toHaveLength(1)
    expect(list.row(20)).toMatchObject({ issueNumber: 20 })
  })

  it('never reads its first page twice: new issues would push the rows down', async () => {
    const { readPage, asked } = serve(2_000)
    const list = createIssueList(readPage)
    list.show(1_900, 1_930)
    await until(list, hasRow(list, 1_930))
    list.show(0, 9)
    expect(asked.filter((cursor) => cursor === undefined)).toHaveLength(1)
  })

  it('reports an error, waits, and continues on request', async () => {
    const { readPage, asked, failNext } = serve(1_000)
    failNext(1)
    const list = createIssueList(readPage)
    await until(list, ({ error }) => error !== undefined)
    expect(list.state().isRead).toBe(false)
    list.show(0, 30)
    expect(asked).toHaveLength(1)
    list.retry()
    await until(list, hasRow(list, 30))
    expect(list.state().error).toBeUndefined()
  })

  it('changes rows without moving them', async () => {
    const list = createIssueList(serve(100).readPage)
    await until(list, hasRow(list, 60))
    list.patch('iss_7', { status: 'closed' })
    list.patch('iss_8', 'gone')
    list.patch('iss_unknown', 'gone')
    expect([list.row(6), list.row(7), list.row(8), list.row(9)]).toMatchObject([
      { issueNumber: 6, status: 'open' },
      { issueNumber: 7, status: 'closed' },
      'gone',
      { issueNumber: 9 },
    ])
    expect(list.indexOf('iss_8')).toBe(-1)
  })

  it('reads visible rows again, and returns the issues that the list no longer has', async () => {
    const { readPage, asked, gone } = serve(200)
    const list = createIssueList(readPage)
    list.show(20, 39)
    await until(list, hasRow(list, 99))
    list.patch('iss_21', { status: 'closed' })
    list.patch('iss_55', { status: 'closed' })
    gone.add(33)
    const before = asked.length
    expect(await list.update()).toEqual(['iss_33'])
    expect(asked.slice(before)).toEqual(['20', '30'])
    expect([list.row(21), list.row(33), list.row(55)]).toMatchObject([
      { status: 'open' },
      { issueNumber: 33 },
      { status: 'closed' },
    ])
  })

  it('sends no more requests once it is closed', async () => {
    const { readPage, asked } = serve(1_000)
    const list = createIssueList(readPage)
    await until(list, hasRow(list, 60))
    const before = asked.length
    list.close()
    list.show(500, 530)
    await Promise.resolve()
    expect(asked).toHaveLength(before)
  })
})
