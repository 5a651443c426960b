import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../packages/server/test-support/temporary-folder.ts'
import { type Answer, type Client, openClient } from './support/load.ts'
import { countIssues } from './support/reports.ts'
import { startFirstServer, type TestServer } from './support/start-server.ts'

const COPIES = 50

const folder = temporaryFolder()
let server: TestServer
let client: Client

beforeAll(async () => {
  const first = await startFirstServer(join(folder.path, 'bugle.db'))
  server = first.server
  client = openClient(server.url, first.keys.secretKey)
})

afterAll(async () => {
  await client[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

/** The three ways in which a client may identify its submission. */
const WAYS = [
  { way: 'the member submissionId', named: (id: string) => ({ members: { submissionId: id }, headers: {} }) },
  { way: 'a bare Idempotency-Key', named: (id: string) => ({ members: {}, headers: keyHeader(id) }) },
  {
    way: 'a quoted Idempotency-Key',
    named: (id: string) => ({ members: {}, headers: keyHeader(`"${id}"`) }),
  },
]

describe.each(WAYS)('a submission named by $way', ({ named }) => {
  const { members, headers } = named(randomUUID())
  const report = { title: 'Sent by a nervous client', description: 'Tapped "send" often', ...members }
  let answers: readonly Answer[]

  beforeAll(async () => {
    const before = await countIssues(client)
    answers = await Promise.all(Array.from({ length: COPIES }, () => client.submit(report, headers)))
    expect(await countIssues(client)).toBe(before + 1)
  })

  test('and sent 50 times at once becomes one issue and 50 equal responses', async () => {
    const [first] = answers
    expect(first?.status).toBe(201)
    for (const { status, body, headers } of answers) {
      expect({ status, body, location: headers['location'] }).toEqual({
        status: first?.status,
        body: first?.body,
        location: first?.headers['location'],
      })
    }
  })

  test('is marked as replayed in all responses but one', () => {
    const marks = answers.map(({ headers }) => headers['idempotency-replayed'])
    expect(marks.filter((mark) => mark === undefined)).toHaveLength(1)
    expect(marks.filter((mark) => mark === 'true')).toHaveLength(COPIES - 1)
  })

  test('is refused with another title, and nothing is stored', async () => {
    const before = await countIssues(client)
    const other = await client.submit({ ...report, title: 'Something else' }, headers)
    expect(other).toMatchObject({ status: 409, body: { code: 'submission-conflict' } })
    expect(await countIssues(client)).toBe(before)
  })
})

test('the field and the header identify the same submission, whatever the order of the fields', async () => {
  const id = randomUUID()
  const asMember = await client.submit({ title: 'Twice', submissionId: id, priority: 'high' })
  const asHeader = await client.submit({ priority: 'high', title: 'Twice' }, keyHeader(`"${id}"`))
  expect(asHeader).toMatchObject({ status: 201, body: asMember.body })
  expect(asHeader.headers['idempotency-replayed']).toBe('true')
})

test('reports without an id are never treated as the same', async () => {
  const answers = await Promise.all([1, 2, 3].map(() => client.submit({ title: 'The same words' })))
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(3)
})

test('a refused submission does not use up its id', async () => {
  const submissionId = randomUUID()
  const refused = await client.submit({ title: '', submissionId })
  expect(refused.status).toBe(422)
  const mended = await client.submit({ title: 'Mended', submissionId })
  expect(mended.status).toBe(201)
  expect(mended.headers).not.toHaveProperty('idempotency-replayed')
})

function keyHeader(value: string): Record<string, string> {
  return { 'idempotency-key': value }
}
