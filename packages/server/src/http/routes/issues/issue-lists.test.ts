import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp, type TestProject } from '../../../../test-support/start-app.ts'

let api: TestApp
let project: TestProject

beforeAll(async () => {
  api = await startApp()
  project = await api.addProject()
  for (let number = 1; number <= 60; number++) {
    const body = { title: `Issue ${number}`, description: number % 2 ? null : '🎺'.repeat(300) }
    await api.send('POST', '/v1/issues', { key: project.publicKey, body })
  }
})
afterAll(() => api[Symbol.asyncDispose]())

const list = (query: string) => api.send('GET', `/v1/issues${query}`, { key: project.secretKey })
const numbers = ({ body }: { body: { data: { issueNumber: number }[] } }) =>
  body.data.map(({ issueNumber }) => issueNumber)

describe('the list of issues', () => {
  it('shows the newest 25 first', async () => {
    const answer = await list('')
    expect(numbers(answer)).toEqual(Array.from({ length: 25 }, (_, index) => 60 - index))
    expect(answer.body.pagination).toMatchObject({ page: 1, pageSize: 25, hasMore: true, totalCount: 60 })
  })

  it('shows an excerpt instead of the description', async () => {
    const { body } = await list('?pageSize=2')
    expect(body.data.map((item: { excerpt: string | null }) => item.excerpt)).toEqual([
      '🎺'.repeat(200),
      null,
    ])
    for (const member of ['description', 'metadata', 'sdk', 'submissionId', 'allowedTransitions']) {
      expect(body.data[0]).not.toHaveProperty(member)
    }
  })

  it('is paged by number', async () => {
    expect(numbers(await list('?page=3'))).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1])
    const beyond = await list('?page=4')
    expect(beyond.body).toMatchObject({
      data: [],
      pagination: { page: 4, hasMore: false, nextCursor: null, totalCount: 60 },
    })
  })

  it('is paged by cursor, to the end', async () => {
    const seen: number[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const answer = await list(`?pageSize=7${cursor && `&cursor=${cursor}`}`)
      seen.push(...numbers(answer))
      cursor = answer.body.pagination.nextCursor
      expect(cursor ?? '').toMatch(/^[\w-]*$/)
    }
    expect(seen).toEqual(Array.from({ length: 60 }, (_, index) => 60 - index))
  })

  it('links first, prev, next and last, and keeps the filters', async () => {
    const links = linksOf(await list('?status=open&pageSize=10&page=2'))
    expect(links).toMatchObject({
      first: '/v1/issues?status=open&pageSize=10&page=1',
      prev: '/v1/issues?status=open&pageSize=10&page=1',
      last: '/v1/issues?status=open&pageSize=10&page=6',
    })
    const next = await api.send('GET', links['next'] ?? '', { key: project.secretKey })
    expect(numbers(next)).toEqual([40, 39, 38, 37, 36, 35, 34, 33, 32, 31])
    expect(next.body.pagination.page).toBeNull()
    expect(linksOf(await list('?page=3'))).not.toHaveProperty('next')
  })

  it('filters by status, one or several', async () => {
    expect((await list('?status=open')).body.pagination.totalCount).toBe(60)
    expect((await list('?status=closed,wontfix')).body).toMatchObject({
      data: [],
      pagination: { totalCount: 0 },
    })
    expect((await list('?status=open,closed')).body.pagination.totalCount).toBe(60)
    expect((await list('?status=open&status=closed')).body.pagination.totalCount).toBe(60)
  })

  it('accepts a cursor only with the same filters', async () => {
    const { body } = await list('?status=open&pageSize=5')
    const { nextCursor } = body.pagination
    expect(numbers(await list(`?status=open&pageSize=3&cursor=${nextCursor}`))).toEqual([55, 54, 53])
    expect((await list(`?cursor=${nextCursor}`)).body.code).toBe('invalid-cursor')
  })

  it.each([
    ['?status=opened', 'status', 'choice'],
    ['?status=', 'status', 'choice'],
    ['?page=0', 'page', 'too-small'],
    ['?page=-1', 'page', 'too-small'],
    ['?page=two', 'page', 'type'],
    ['?page=1.5', 'page', 'type'],
    ['?page=1&page=2', 'page', 'repeated'],
    ['?pageSize=101', 'pageSize', 'too-large'],
    ['?pageSize=0', 'pageSize', 'too-small'],
    ['?stauts=open', 'stauts', 'unknown'],
    ['?page=2&cursor=x', 'page', 'conflict'],
    ['?constructor=x', 'constructor', 'unknown'],
    ['?__proto__=x', '__proto__', 'unknown'],
  ])('refuses %s', async (query, parameter, code) => {
    const { status, body } = await list(query)
    expect([status, body.code]).toEqual([400, 'invalid-parameter'])
    expect(body.errors[0]).toMatchObject({ parameter, code })
  })

  it.each(['x', '%00', 'W10', 'WyJhIiwxXQ', 'eyJhIjoxfQ', '..%2f', 'x'.repeat(2_000)])(
    'refuses the cursor %s',
    async (cursor) => {
      const { status, body } = await list(`?cursor=${cursor}`)
      expect([status, body.code]).toEqual([400, 'invalid-cursor'])
    },
  )

  it('reaches 10,000 rows by page, and explains how to continue', async () => {
    expect((await list('?page=100&pageSize=100')).status).toBe(200)
    const { status, body } = await list('?page=101&pageSize=100')
    expect([status, body.code]).toEqual([400, 'page-too-deep'])
    expect(body.detail).toContain('nextCursor')
  })

  it('is empty for a project without issues', async () => {
    const empty = await api.addProject()
    const { body } = await api.send('GET', '/v1/issues', { key: empty.secretKey })
    expect(body).toEqual({
      data: [],
      pagination: { page: 1, pageSize: 25, hasMore: false, nextCursor: null, totalCount: 0 },
    })
  })

  it('of another project is not found', async () => {
    const other = await api.addProject()
    expect((await list(`?projectId=${other.slug}`)).status).toBe(404)
    expect((await list('?projectId=nowhere')).status).toBe(404)
    expect((await list(`?projectId=${project.slug}`)).status).toBe(200)
  })
})

function linksOf({ headers }: { headers: Headers }): Record<string, string> {
  const links = (headers.get('link') ?? '').matchAll(/<([^>]+)>; rel="(\w+)"/g)
  return Object.fromEntries([...links].map(([, target = '', rel = '']) => [rel, target]))
}
