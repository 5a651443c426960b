import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../packages/server/test-support/temporary-folder.ts'
import { type Answer, type Client, openClient, workThrough } from './support/load.ts'
import { startFirstServer, type TestServer } from './support/start-server.ts'

const STORED = 5_000
const ARRIVING = 1_000
const PAGE_SIZE = 100

const folder = temporaryFolder()
let server: TestServer
let client: Client
let stored: readonly string[]

beforeAll(async () => {
  const first = await startFirstServer(join(folder.path, 'bugle.db'))
  server = first.server
  client = openClient(server.url, first.keys.secretKey)
  stored = await submitMany(STORED)
})

afterAll(async () => {
  await client[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

describe('pages by number', () => {
  test('have 25 issues, newest first, and contain their position', async () => {
    const { body } = await client.get('/v1/issues')
    expect(numbersOf(body)).toEqual(downFrom(STORED, 25))
    expect(body.pagination).toEqual({
      page: 1,
      pageSize: 25,
      hasMore: true,
      nextCursor: expect.any(String),
      totalCount: STORED,
    })
    expect(await client.get('/v1/issues?page=1&pageSize=25')).toMatchObject({ body })
  })

  test('follow each other without gaps or overlap, up to the last one', async () => {
    const second = await client.get('/v1/issues?page=2&pageSize=40')
    expect(numbersOf(second.body)).toEqual(downFrom(STORED - 40, 40))
    const last = await client.get(`/v1/issues?page=50&pageSize=${PAGE_SIZE}`)
    expect(numbersOf(last.body)).toEqual(downFrom(PAGE_SIZE, PAGE_SIZE))
    expect(last.body.pagination).toMatchObject({ page: 50, hasMore: false, nextCursor: null })
  })

  test('are empty beyond the end', async () => {
    const { status, body } = await client.get(`/v1/issues?page=51&pageSize=${PAGE_SIZE}`)
    expect(status).toBe(200)
    expect(body).toMatchObject({ data: [], pagination: { hasMore: false, nextCursor: null } })
  })

  test('link to the first, the previous, the next and the last one', async () => {
    const answer = await client.get('/v1/issues?page=2&pageSize=100&status=open')
    const links = linksOf(answer)
    expect(Object.keys(links).toSorted()).toEqual(['first', 'last', 'next', 'prev'])
    const pages = await Promise.all(
      Object.entries(links).map(async ([rel, path]) => [rel, numbersOf((await client.get(path)).body)[0]]),
    )
    expect(Object.fromEntries(pages)).toEqual({ first: 5_000, prev: 5_000, next: 4_800, last: 100 })
  })

  test.each([
    { query: 'page=0', code: 'invalid-parameter' },
    { query: 'page=-1', code: 'invalid-parameter' },
    { query: 'page=1.5', code: 'invalid-parameter' },
    { query: 'page=two', code: 'invalid-parameter' },
    { query: 'pageSize=0', code: 'invalid-parameter' },
    { query: 'pageSize=101', code: 'invalid-parameter' },
    { query: 'page=101&pageSize=100', code: 'page-too-deep' },
    { query: 'cursor=nonsense', code: 'invalid-cursor' },
  ])('$query is refused as $code', async ({ query, code }) => {
    expect(await client.get(`/v1/issues?${query}`)).toMatchObject({ status: 400, body: { code } })
  })
})

describe('a cursor', () => {
  test('cannot be used with a page, nor with other filters', async () => {
    const { body } = await client.get('/v1/issues?status=open')
    const cursor = body.pagination.nextCursor
    const withPage = await client.get(`/v1/issues?status=open&page=2&cursor=${cursor}`)
    expect(withPage).toMatchObject({ status: 400, body: { code: 'invalid-parameter' } })
    const withOther = await client.get(`/v1/issues?status=closed&cursor=${cursor}`)
    expect(withOther).toMatchObject({ status: 400, body: { code: 'invalid-cursor' } })
    const alike = await client.get(`/v1/issues?status=open&cursor=${cursor}`)
    expect(alike).toMatchObject({ status: 200, body: { pagination: { page: null } } })
  })

  test('pages through 5,000 issues, each exactly once, while 1,000 more arrive', async () => {
    const shown: string[] = []
    const arrived: string[] = []
    const arrivingPerPage = ARRIVING / (STORED / PAGE_SIZE)
    for (let path: string | undefined = `/v1/issues?pageSize=${PAGE_SIZE}`; path !== undefined; ) {
      const [page, ids]: [Answer, readonly string[]] = await Promise.all([
        client.get(path),
        submitMany(arrivingPerPage),
      ])
      shown.push(...page.body.data.map(({ id }: { id: string }) => id))
      arrived.push(...ids)
      path = linksOf(page)['next']
    }
    expect(arrived.length).toBeGreaterThanOrEqual(ARRIVING)
    const arrivedLater = new Set(arrived)
    expect(shown.filter((id) => !arrivedLater.has(id)).toSorted()).toEqual(stored.toSorted())
  })
})

async function submitMany(count: number): Promise<readonly string[]> {
  const answers = await workThrough(Array(count).fill({ title: 'One of many' }), (report) =>
    client.submit(report),
  )
  return answers.map(({ body }) => body.id)
}

function numbersOf({ data }: { data: readonly { issueNumber: number }[] }): readonly number[] {
  return data.map(({ issueNumber }) => issueNumber)
}

function downFrom(highest: number, count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => highest - index)
}

/** The links in a `Link` header (RFC 8288): relation → path. */
function linksOf({ headers }: Answer): Readonly<Record<string, string>> {
  const matches = String(headers['link'] ?? '').matchAll(/<([^>]*)>; rel="(\w+)"/g)
  return Object.fromEntries([...matches].map(([, path = '', rel = '']) => [rel, path]))
}
