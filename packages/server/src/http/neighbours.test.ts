import { randomBytes, randomUUID } from 'node:crypto'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { declare, sha256Of } from '../../test-support/attachment-stage.ts'
import {
  envelopeOf,
  eventEnvelope,
  eventId,
  sentryAuth,
  sentryPath,
} from '../../test-support/sentry-stage.ts'
import { startApp, type TestApp, type TestProject } from '../../test-support/start-app.ts'
import { temporaryFolder } from '../../test-support/temporary-folder.ts'
import { PATIENCE } from './gates/patience.ts'

const METRICS_TOKEN = 'a-token-for-the-metrics-of-neighbours'
const gaveWay = (what: string) => `bugle_requests_given_way_total\\{what="${what}"\\}`
const METERED = { BUGLE_METRICS_TOKEN: METRICS_TOKEN }
const BEHIND_PROXY = { ...METERED, BUGLE_TRUST_PROXY: '127.0.0.1' }

/** On a busy machine, the requests that are held would otherwise be cut off before the others are sent. */
const PATIENT = { ...PATIENCE, requestMs: 600_000, bodyMs: 600_000 }

/** Sends a request without its last bytes, and keeps the connection open. */
function sendPart(
  api: TestApp,
  { method, path, headers, body, missing }: PartialRequest,
): PartlySent & Disposable {
  const sending = request({
    ...{ method, path, port: new URL(api.url).port, agent: false },
    headers: { ...headers, 'content-length': body.length },
  })
  const response = new Promise<IncomingMessage | undefined>((resolve) => {
    sending.on('error', () => resolve(undefined))
    sending.on('response', (response) => resolve(response.resume()))
  })
  sending.write(body.subarray(0, body.length - missing))
  return { sending, response, [Symbol.dispose]: () => void sending.destroy() }
}

interface PartialRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  readonly missing: number
}

interface PartlySent {
  readonly sending: ClientRequest
  readonly response: Promise<IncomingMessage | undefined>
}

async function metric(api: TestApp, name: string): Promise<number> {
  const { text } = await api.send('GET', '/metrics', { key: METRICS_TOKEN })
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1])
}

/** Waits for a condition, or for a response without it. */
async function untilAnswered(response: Promise<unknown>, condition: () => Promise<boolean>): Promise<void> {
  let isAnswered = false
  response.then(() => {
    isAnswered = true
  })
  await expect.poll(async () => isAnswered || (await condition())).toBe(true)
}

function envelopeWithFile(size: number): Buffer {
  return envelopeOf(
    { event_id: eventId() },
    [{ type: 'attachment', filename: 'core.dump' }, randomBytes(size)],
    [{ type: 'event' }, { message: 'With a file', fingerprint: [eventId()] }],
  )
}

/** Sends events with a file of each size at once, and returns what has become of the files. */
async function statesOfSentFiles(
  api: TestApp,
  project: TestProject,
  sizes: readonly number[],
): Promise<string[]> {
  const sent = await Promise.all(
    sizes.map((size) =>
      api.send('POST', sentryPath(project), { body: envelopeWithFile(size), headers: sentryAuth(project) }),
    ),
  )
  expect(sent.map(({ status }) => status)).toEqual(sizes.map(() => 200))
  const key = project.secretKey
  const states: string[] = []
  const { data } = (await api.send('GET', `/v1/issues?sort=newest&pageSize=${sizes.length}`, { key })).body
  for (const { id } of data) {
    const files = (await api.send('GET', `/v1/issues/${id}/attachments`, { key })).body.data
    states.push(...files.map(({ state }: { state: string }) => state))
  }
  return states
}

it('half-sent envelopes of a project do not refuse large events of another', async () => {
  await using api = await startApp({ environment: METERED, patience: PATIENT })
  const [attacker, victim] = [await api.addProject(), await api.addProject()]
  const eventOf = (size: number) =>
    eventEnvelope(eventId(), { message: 'Large', extra: { rest: 'x'.repeat(size) } })
  using held = new DisposableStack()
  // More than there is room for: the last ones fill what the large ones leave.
  for (const size of [...Array(18).fill(960_000), ...Array(10).fill(200_000)]) {
    const envelope = { method: 'POST', path: sentryPath(attacker), headers: sentryAuth(attacker) }
    const before = await metric(api, 'bugle_envelope_bytes')
    const sent = held.use(sendPart(api, { ...envelope, body: eventOf(size), missing: 30 }))
    // One after another: if many arrived together, so many would be refused that there would be room again.
    await untilAnswered(
      sent.response,
      async () => (await metric(api, 'bugle_envelope_bytes')) > before + size / 2,
    )
  }
  const send = () =>
    api.send('POST', sentryPath(victim), { body: eventOf(300_000), headers: sentryAuth(victim) })
  const statuses = []
  for (let count = 0; count < 20; count++) statuses.push((await send()).status)
  expect(statuses).toEqual(Array(20).fill(200))
  expect(await metric(api, gaveWay('envelopes'))).toBeGreaterThan(0)
})

it('complete events of a project that wait for the database make room for those of another', async () => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'bugle.db')
  await using api = await startApp({ databaseUrl: `sqlite:${path}`, environment: METERED, patience: PATIENT })
  const [large, other] = [await api.addProject(), await api.addProject()]
  const post = (project: TestProject, size: number) =>
    api.send('POST', sentryPath(project), {
      body: eventEnvelope(eventId(), { message: 'Large', extra: { rest: 'x'.repeat(size) } }),
      headers: sentryAuth(project),
    })
  // Nothing can be stored meanwhile.
  using standstill = new DatabaseSync(path)
  standstill.exec('BEGIN IMMEDIATE')
  const sent: ReturnType<typeof post>[] = []
  for (const size of [...Array(18).fill(960_000), ...Array(10).fill(200_000)]) {
    const before = await metric(api, 'bugle_envelope_bytes')
    const sending = post(large, size)
    sent.push(sending)
    await untilAnswered(sending, async () => (await metric(api, 'bugle_envelope_bytes')) > before + size / 2)
  }
  const answer = post(other, 300_000)
  await untilAnswered(answer, async () => (await metric(api, gaveWay('envelopes'))) > 0)
  standstill.exec('ROLLBACK')
  expect((await answer).status).toBe(200)
  const statuses = (await Promise.all(sent)).map(({ status }) => status)
  expect(new Set(statuses)).toEqual(new Set([200, 503]))
  const issues = (await api.send('GET', '/v1/issues', { key: large.secretKey })).body.data
  const stored = issues.reduce((sum: number, issue: { reportCount: number }) => sum + issue.reportCount, 0)
  expect(stored).toBe(statuses.filter((status) => status === 200).length)
})

it('files in half-sent envelopes of one project do not displace files of another', async () => {
  await using api = await startApp({ environment: METERED, patience: PATIENT })
  const [attacker, victim] = [await api.addProject(), await api.addProject()]
  using held = new DisposableStack()
  for (let count = 0; count < 6; count++) {
    const part = { method: 'POST', path: sentryPath(attacker), headers: sentryAuth(attacker) }
    held.use(sendPart(api, { ...part, body: envelopeWithFile(5_000_000), missing: 200 }))
  }
  await expect.poll(() => metric(api, 'bugle_attachment_uploads')).toBe(6)
  const states = []
  for (let count = 0; count < 5; count++) states.push(...(await statesOfSentFiles(api, victim, [3_000_000])))
  expect(states).toEqual(Array(5).fill('received'))
})

it('files whose senders have left make room at once', async () => {
  const environment = { ...METERED, BUGLE_ATTACHMENT_LIMITS: 'uploads=64' }
  await using api = await startApp({ environment, patience: PATIENT })
  const [attacker, victim] = [await api.addProject(), await api.addProject()]
  const states = []
  for (let round = 0; round < 5; round++) {
    {
      using held = new DisposableStack()
      for (let count = 0; count < 64; count++) {
        const part = { method: 'POST', path: sentryPath(attacker), headers: sentryAuth(attacker) }
        held.use(sendPart(api, { ...part, body: envelopeWithFile(100_000), missing: 200 }))
      }
      await expect.poll(() => metric(api, 'bugle_attachment_uploads')).toBe(64)
    }
    states.push(...(await statesOfSentFiles(api, victim, [1, 2, 3, 4])))
  }
  expect(states).toEqual(Array(20).fill('received'))
})

it('slow uploads with keys of two projects do not block uploads of another', async () => {
  await using api = await startApp({ environment: BEHIND_PROXY, patience: PATIENT })
  const projects = [await api.addProject(), await api.addProject()]
  using held = new DisposableStack()
  const slow: Promise<IncomingMessage | undefined>[] = []
  for (const project of projects) {
    const { path, headers, body } = await declareFile(api, project)
    for (let count = 0; count < 68; count++) {
      const from = { ...headers, 'x-forwarded-for': `192.0.2.${count % 10}` }
      slow.push(held.use(sendPart(api, { method: 'PUT', path, headers: from, body, missing: 10 })).response)
    }
  }
  await expect.poll(() => metric(api, 'bugle_attachment_uploads')).toBe(128)
  const victim = await api.addProject()
  const statuses = []
  for (let count = 0; count < 10; count++) {
    const { path, body } = await declareFile(api, victim)
    statuses.push((await api.send('PUT', path, { key: victim.publicKey, body })).status)
  }
  expect(statuses).toEqual(Array(10).fill(201))
  expect(await metric(api, gaveWay('uploads'))).toBeGreaterThan(0)
  const refused = await Promise.race(slow)
  expect([refused?.statusCode, refused?.headers['retry-after']]).toEqual([503, '5'])
})

it('a file that gives way is omitted, and its event is stored', async () => {
  const environment = { ...METERED, BUGLE_ATTACHMENT_LIMITS: 'uploads=2' }
  await using api = await startApp({ environment, patience: PATIENT })
  const [large, other] = [await api.addProject(), await api.addProject()]
  using held = new DisposableStack()
  const parts = ['one', 'two'].map((message) => {
    const body = envelopeOf(
      { event_id: eventId() },
      [{ type: 'attachment', filename: 'core.dump' }, randomBytes(100_000)],
      [{ type: 'event' }, { message }],
    )
    const part = { method: 'POST', path: sentryPath(large), headers: sentryAuth(large), body }
    return { body, ...held.use(sendPart(api, { ...part, missing: 50_000 })) }
  })
  await expect.poll(() => metric(api, 'bugle_attachment_uploads')).toBe(2)
  const { path, body } = await declareFile(api, other)
  expect((await api.send('PUT', path, { key: other.publicKey, body })).status).toBe(201)
  expect(await metric(api, gaveWay('uploads'))).toBe(1)
  for (const one of parts) one.sending.end(one.body.subarray(one.body.length - 50_000))
  const responses = await Promise.all(parts.map(({ response }) => response))
  expect(responses.map((response) => response?.statusCode)).toEqual([200, 200])
  const key = large.secretKey
  const shown = []
  for (const { id, attachmentState } of (await api.send('GET', '/v1/issues', { key })).body.data) {
    const [file] = (await api.send('GET', `/v1/issues/${id}/attachments`, { key })).body.data
    shown.push([attachmentState, file.state, file.omittedReason, file.size])
  }
  expect(shown.toSorted((one, two) => String(one).localeCompare(String(two)))).toEqual([
    [null, 'omitted', 'server-busy', 100_000],
    ['received', 'received', null, 100_000],
  ])
  const skipped = async () =>
    (await api.send('GET', `/v1/projects/${large.slug}/stats`, { key })).body.intake.skipped
  await expect.poll(skipped).toEqual({ attachment: 1 })
})

async function declareFile(api: TestApp, { publicKey: key }: TestProject) {
  const bytes = randomBytes(1_000)
  const body = { title: 'With a file', submissionId: randomUUID(), attachments: [declare(bytes)] }
  expect((await api.send('POST', '/v1/issues', { key, body })).status).toBe(201)
  const path = `/v1/submissions/${body.submissionId}/attachments/${sha256Of(bytes)}`
  return { path, headers: { authorization: `Bearer ${key}` }, body: bytes }
}
