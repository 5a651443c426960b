import { randomBytes, randomUUID } from 'node:crypto'
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { declare, sha256Of } from '../../test-support/attachment-stage.ts'
import { startS3Server } from '../../test-support/s3-server.ts'
import { startApp, type TestApp, type TestProject } from '../../test-support/start-app.ts'
import { temporaryFolder } from '../../test-support/temporary-folder.ts'
import { sweepFiles } from '../workers/remove-files.ts'

async function declareFile(
  api: TestApp,
  { publicKey: key }: TestProject,
  bytes: Uint8Array | string,
  fields = {},
) {
  const attachments = [declare(bytes)]
  const body = { title: 'With a file', submissionId: randomUUID(), attachments, ...fields }
  const { status } = await api.send('POST', '/v1/issues', { key, body })
  expect(status).toBe(201)
  const path = `/v1/submissions/${body.submissionId}/attachments/${sha256Of(bytes)}`
  return { path, put: () => api.send('PUT', path, { key, body: bytes }) }
}

const METRICS_TOKEN = 'a-token-for-the-metrics-of-uploads'

/** How many uploads were refused with a code. */
async function refusals(api: TestApp, code: string): Promise<number> {
  const { text } = await api.send('GET', '/metrics', { key: METRICS_TOKEN })
  const count = new RegExp(`^bugle_http_problems_total\\{[^}]*attachments[^}]*code="${code}"\\} (\\d+)$`, 'm')
  return Number(count.exec(text)?.[1] ?? 0)
}

async function hasUploads(api: TestApp): Promise<boolean> {
  const { text } = await api.send('GET', '/metrics', { key: METRICS_TOKEN })
  return /^bugle_attachment_uploads 1$/m.test(text)
}

async function filesIn({ app }: TestApp): Promise<readonly string[]> {
  const names: string[] = []
  for await (const { name } of app.files.list()) names.push(name)
  return names
}

describe('limits of files', () => {
  it('a project cannot store more than its quota, and reports are still stored', async () => {
    const environment = { BUGLE_ATTACHMENT_LIMITS: 'project=1000', BUGLE_METRICS_TOKEN: METRICS_TOKEN }
    await using api = await startApp({ environment })
    const project = await api.addProject()
    expect((await (await declareFile(api, project, randomBytes(600))).put()).status).toBe(201)
    const full = await declareFile(api, project, randomBytes(600))
    const refused = await full.put()
    expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([
      507,
      'insufficient-storage',
      '300',
    ])
    expect(await refusals(api, 'insufficient-storage')).toBe(1)
    expect((await (await declareFile(api, project, randomBytes(400))).put()).status).toBe(201)
    expect(await filesIn(api)).toHaveLength(2)
    const issues = (await api.send('GET', '/v1/issues', { key: project.secretKey })).body.data
    const [{ id }] = issues.slice(-1)
    expect((await api.send('DELETE', `/v1/issues/${id}`, { key: project.secretKey })).status).toBe(204)
    await expect.poll(async () => (await full.put()).status).toBe(201)
  })

  it('a full project does not reveal whether it has a file', async () => {
    await using api = await startApp({ environment: { BUGLE_ATTACHMENT_LIMITS: 'project=1000' } })
    const project = await api.addProject()
    const [known, unknown] = [randomBytes(600), randomBytes(600)]
    const hidden = await declareFile(api, project, known, { category: 'security' })
    expect((await hidden.put()).status).toBe(201)
    const answers = []
    for (const bytes of [known, unknown]) {
      const { path } = await declareFile(api, project, bytes)
      const { status, body } = await api.send('PUT', path, { key: project.publicKey, body: randomBytes(600) })
      answers.push([status, body.code, body.detail])
    }
    expect(answers[0]).toEqual(answers[1])
    // Repeating an upload is not refused.
    expect((await hidden.put()).status).toBe(200)
  })

  it('a slow upload counts towards the quota while it is in progress', async () => {
    const environment = {
      BUGLE_ATTACHMENT_LIMITS: 'project=1000,uploads=16',
      BUGLE_METRICS_TOKEN: METRICS_TOKEN,
    }
    await using api = await startApp({ environment })
    const project = await api.addProject()
    const slow = await declareFile(api, project, randomBytes(600))
    const other = await declareFile(api, project, randomBytes(600))
    const leaving = new AbortController()
    const sending = sendSlowly(api, project, slow.path, leaving.signal)
    await expect.poll(() => hasUploads(api)).toBe(true)
    expect((await other.put()).status).toBe(507)
    leaving.abort()
    expect(await sending).toBe('left')
    await expect.poll(async () => (await other.put()).status).toBe(201)
  })

  it('concurrent uploads cannot get past the quota either', async () => {
    await using api = await startApp({ environment: { BUGLE_ATTACHMENT_LIMITS: 'project=1000' } })
    const project = await api.addProject()
    const files = await Promise.all(
      Array.from({ length: 8 }, () => declareFile(api, project, randomBytes(300))),
    )
    const statuses = (await Promise.all(files.map(({ put }) => put()))).map(({ status }) => status)
    expect(statuses.filter((status) => status === 201)).toHaveLength(3)
    expect(statuses.filter((status) => status === 507)).toHaveLength(5)
    // What was refused at the commit is removed after the response.
    await expect.poll(() => filesIn(api)).toHaveLength(3)
  })

  it('a key may upload a limited number of bytes per hour, and files per minute, from one address', async () => {
    let now = Date.UTC(2026, 10, 16)
    const environment = { BUGLE_RATE_LIMITS: 'upload=5', BUGLE_ATTACHMENT_LIMITS: 'hour=1000' }
    await using api = await startApp({ environment, clock: () => now })
    const project = await api.addProject()
    const [one, other, ...rest] = await Promise.all(
      Array.from({ length: 6 }, () => declareFile(api, project, randomBytes(600))),
    )
    expect((await one?.put())?.status).toBe(201)
    const limited = await other?.put()
    expect([limited?.status, limited?.body.code]).toEqual([429, 'rate-limited'])
    expect(Number(limited?.headers.get('retry-after'))).toBeGreaterThan(600)
    now += 1_000 * Number(limited?.headers.get('retry-after'))
    expect((await other?.put())?.status).toBe(201)
    const statuses = []
    for (const { put } of rest) statuses.push((await put()).headers.get('ratelimit-policy'))
    expect(statuses.at(-1)).toContain('"upload";q=5')
  })

  it('a limited number of uploads is in progress at once, and a slow one does not delay others', async () => {
    await using api = await startApp({ environment: { BUGLE_ATTACHMENT_LIMITS: 'uploads=1' } })
    const project = await api.addProject()
    const slow = await declareFile(api, project, 'slowly')
    const leaving = new AbortController()
    const sending = sendSlowly(api, project, slow.path, leaving.signal)
    let count = 0
    let other = await declareFile(api, project, 'at once')
    await expect
      .poll(async () => {
        // One that was sent before the slow one had begun has arrived.
        other = await declareFile(api, project, `at once ${++count}`)
        return (await other.put()).status
      })
      .toBe(503)
    const refused = await other.put()
    expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([
      503,
      'unavailable',
      '5',
    ])
    leaving.abort()
    expect(await sending).toBe('left')
    await expect.poll(async () => (await other.put()).status).toBe(201)
    expect((await slow.put()).status).toBe(201)
  })
})

/** Begins an upload that never ends by itself. */
async function sendSlowly(api: TestApp, { publicKey }: TestProject, path: string, signal: AbortSignal) {
  const init = {
    method: 'PUT',
    headers: { authorization: `Bearer ${publicKey}` },
    body: drip('slow', signal),
    duplex: 'half',
    signal,
  }
  return fetch(api.url + path, init as RequestInit).catch(() => 'left')
}

async function* dripBytes(text: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  for (const letter of text) {
    yield Buffer.from(letter)
    await sleep(20)
  }
  await sleep(60_000, undefined, { signal }).catch(() => undefined)
}

function drip(text: string, signal: AbortSignal): ReadableStream {
  return ReadableStream.from(dripBytes(text, signal))
}

describe('a store that fails', () => {
  it('a bucket that cannot be reached: 503, the report is stored, and the same upload succeeds later', async () => {
    await using server = await startS3Server()
    const environment = { BUGLE_ATTACHMENTS_URL: server.url, BUGLE_METRICS_TOKEN: METRICS_TOKEN }
    await using api = await startApp({ environment })
    const project = await api.addProject()
    const file = await declareFile(api, project, 'kept in a bucket')
    await server.stop()
    const refused = await file.put()
    expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([
      503,
      'unavailable',
      '30',
    ])
    expect(await refusals(api, 'unavailable')).toBe(1)
    await declareFile(api, project, 'another report is stored')
    await server.start()
    const { status, body } = await file.put()
    expect(status).toBe(201)
    const { text } = await api.send('GET', `/v1/attachments/${body.id}`, { key: project.secretKey })
    expect(text).toBe('kept in a bucket')
    await server.stop()
    const { status: unread } = await api.send('GET', `/v1/attachments/${body.id}`, { key: project.secretKey })
    expect(unread).toBe(503)
  })

  it('a folder that cannot be written: 503, and the same upload succeeds later', async () => {
    using folder = temporaryFolder()
    const databaseUrl = `sqlite:${join(folder.path, 'bugle.db')}`
    await using api = await startApp({ databaseUrl })
    const project = await api.addProject()
    const file = await declareFile(api, project, 'on a disk')
    const place = join(folder.path, 'bugle.db-files')
    await writeFile(place, 'in the way')
    expect((await file.put()).status).toBe(503)
    await rm(place)
    expect((await file.put()).status).toBe(201)
    await chmod(place, 0o755)
  })

  it('what an interrupted upload left is removed by the sweeper, and nothing else', async () => {
    using folder = temporaryFolder()
    const databaseUrl = `sqlite:${join(folder.path, 'bugle.db')}`
    await using api = await startApp({ databaseUrl })
    const project = await api.addProject()
    const file = await declareFile(api, project, 'kept')
    await file.put()
    const [kept = ''] = await filesIn(api)
    const projectNumber = kept.split('/')[0] ?? ''
    const place = join(folder.path, 'bugle.db-files')
    await writeFile(join(place, projectNumber, 'ab'.repeat(16)), 'no report refers to it')
    await writeFile(join(place, 'unfinished', 'torn'), 'half')
    await mkdir(join(place, '77'))
    await writeFile(join(place, '77', 'cd'.repeat(16)), 'of another installation')
    const { storage, files } = api.app
    expect(await sweepFiles({ storage, store: files }, Date.now() - 3_600_000)).toBe(0)
    expect(await sweepFiles({ storage, store: files }, Date.now() + 1_000)).toBe(2)
    expect((await filesIn(api)).toSorted()).toEqual([kept, `77/${'cd'.repeat(16)}`].toSorted())
  })
})
