import { randomBytes, randomUUID } from 'node:crypto'
import pg from 'pg'
import { expect, test } from 'vitest'
import { declare, sha256Of } from '../../../test-support/attachment-stage.ts'
import { startApp, type TestApp, type TestProject } from '../../../test-support/start-app.ts'
import { temporaryPostgresDatabase } from '../../../test-support/temporary-database.ts'
import { describeAttachments } from '../suites/attachments.contract.ts'
import { openPostgresStorage } from './postgres-storage.ts'

describeAttachments('PostgreSQL', async () => {
  const database = await temporaryPostgresDatabase()
  const storage = await openPostgresStorage(database.url)
  async function query<R extends pg.QueryResultRow>(text: string, values: readonly unknown[]): Promise<R[]> {
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    const { rows } = await client.query<R>(text, [...values])
    await client.end()
    return rows
  }
  return {
    storage,
    count: async (sql) => Number((await query<{ count: string }>(sql, []))[0]?.count),
    planOf: async ({ postgres }, values) => JSON.stringify(await query(`EXPLAIN ${postgres}`, values)),
    async declareMany(issueNumber, from, count) {
      await query(
        `INSERT INTO attachments (project, issue_number, number, id, digest, name, declared_type, size)
         SELECT (SELECT seq FROM projects), $1, $2::bigint + n, gen_random_uuid(), decode(md5(n::text), 'hex'), 'a', 'text/plain', 1
         FROM generate_series(0, $3::integer - 1) n`,
        [issueNumber, from, count],
      )
    },
    async [Symbol.asyncDispose]() {
      await storage.close()
      await database[Symbol.asyncDispose]()
    },
  }
})

interface Filed {
  readonly issueId: string
  readonly attachmentId: string
  readonly bytes: Buffer
}

/** Reports to one node, and sends the file to another. */
async function file(
  { publicKey: key }: TestProject,
  [first, second]: readonly [TestApp, TestApp],
  fingerprint: string = randomUUID(),
): Promise<Filed> {
  const bytes = randomBytes(600_000)
  const body = {
    title: 'With a file',
    fingerprint,
    submissionId: randomUUID(),
    attachments: [declare(bytes)],
  }
  const report = await first.send('POST', '/v1/issues', { key, body })
  const path = `/v1/submissions/${body.submissionId}/attachments/${sha256Of(bytes)}`
  const upload = await second.send('PUT', path, { key, body: bytes })
  expect([report.status < 300, upload.status]).toEqual([true, 201])
  return { issueId: report.body.id, attachmentId: upload.body.id, bytes }
}

async function download({ url }: TestApp, { secretKey }: TestProject, id: string): Promise<Buffer | number> {
  const headers = { authorization: `Bearer ${secretKey}` }
  const response = await fetch(`${url}/v1/attachments/${id}`, { headers })
  return response.status === 200 ? Buffer.from(await response.arrayBuffer()) : response.status
}

async function sizesIn({ app }: TestApp): Promise<number> {
  let count = 0
  for await (const _ of app.files.list()) count++
  return count
}

test('nodes serve the files of each other without a shared folder', async () => {
  await using database = await temporaryPostgresDatabase()
  await using one = await startApp({ databaseUrl: database.url })
  await using other = await startApp({ databaseUrl: database.url })
  const project = await one.addProject()
  const { attachmentId, bytes } = await file(project, [one, other])
  for (const node of [one, other]) expect(await download(node, project, attachmentId)).toEqual(bytes)
})

test('the chunks of a file are removed with its report, its issue and its project', async () => {
  await using database = await temporaryPostgresDatabase()
  await using api = await startApp({ databaseUrl: database.url })
  const [project, kept] = [await api.addProject(), await api.addProject()]
  const fingerprint = randomUUID()
  const first = await file(project, [api, api], fingerprint)
  const second = await file(project, [api, api], fingerprint)
  const another = await file(project, [api, api])
  const untouched = await file(kept, [api, api])
  expect(await sizesIn(api)).toBe(4)

  const remove = async (path: string) =>
    expect((await api.send('DELETE', path, { key: project.secretKey })).status).toBe(204)
  const reports = await api.send('GET', `/v1/issues/${first.issueId}/reports`, { key: project.secretKey })
  await remove(`/v1/issues/${first.issueId}/reports/${reports.body.data[0].id}`)
  expect(await download(api, project, second.attachmentId)).toBe(404)
  expect(await download(api, project, first.attachmentId)).toEqual(first.bytes)
  await expect.poll(() => sizesIn(api)).toBe(3)

  await remove(`/v1/issues/${another.issueId}`)
  expect(await download(api, project, another.attachmentId)).toBe(404)
  await expect.poll(() => sizesIn(api)).toBe(2)

  while (!(await api.app.storage.projects.delete(project.id)).isFinished);
  await expect.poll(() => sizesIn(api)).toBe(1)
  expect(await download(api, kept, untouched.attachmentId)).toEqual(untouched.bytes)
  expect(await api.app.storage.attachments.totalBytes()).toBe(600_000)
})
