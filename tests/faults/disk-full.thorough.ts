import { createHash, randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createRandom } from '../../packages/server/src/demo/random.ts'
import { temporaryFolder } from '../../packages/server/test-support/temporary-folder.ts'
import { openClient } from '../support/load.ts'
import { METRICS_TOKEN, printedKeys } from '../support/start-server.ts'
import { PATIENT, SEED } from './effort.ts'
import { expectIntact } from './expect-intact.ts'
import { note } from './figures.ts'
import { createLedger } from './ledger.ts'
import { startCramped, withSmallFiles } from './limited-space.ts'
import { settleAll, startSending } from './send.ts'

test(
  'while the disk is full reports are refused, and afterwards it recovers by itself',
  PATIENT,
  async () => {
    using folder = temporaryFolder()
    const { server, way, free, end } = await startCramped(folder.path)
    await using _ = server
    const { secretKey: key } = await printedKeys(server)
    const ledger = createLedger(createRandom(SEED))
    const load = { url: server.url, key, ledger }
    await using client = openClient(server.url, key)
    const readiness = async () => (await client.get('/readyz')).status

    await using sending = startSending(load)
    await expect.poll(() => ledger.countOpen()).toBeGreaterThan(0)
    // Long enough for the server's own writes, such as the full-text index.
    await sleep(1_500)
    await sending.stop()
    await expect.poll(readiness).toBe(503)
    expect((await client.get('/v1/issues?pageSize=1')).status).toBe(200)

    free()
    await expect.poll(readiness).toBe(200)
    await settleAll(load)
    await using more = startSending(load)
    await more.reaches(200)
    await more.stop()
    await settleAll(load)
    const findings = await expectIntact(await end(), ledger)
    expect(findings.acknowledged).toBe(ledger.sent.size)
    note({ fault: `SQLite: disk full, then freed (${way})`, rounds: 1, ...findings })
  },
)

test('a full disk is detected before the first report', PATIENT, async () => {
  using folder = temporaryFolder()
  const { server, fill, free } = await startCramped(folder.path)
  await using _ = server
  const { secretKey: key } = await printedKeys(server)
  await using client = openClient(server.url, key)
  const readiness = async () => (await client.get('/readyz')).status
  expect(await readiness()).toBe(200)
  fill()
  await expect.poll(readiness).toBe(503)
  free()
  await expect.poll(readiness).toBe(200)
})

test(
  'below the reserve a file is refused with 507, its report is stored, and later the same upload succeeds',
  PATIENT,
  async () => {
    using folder = temporaryFolder()
    const { server, free } = await startCramped(folder.path)
    await using _ = server
    const { secretKey } = await printedKeys(server)
    const headers = { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' }
    const bytes = randomBytes(8 * 2 ** 20)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const attachments = [
      { name: 'a.bin', contentType: 'application/octet-stream', size: bytes.length, sha256 },
    ]
    const body = JSON.stringify({ title: 'With a file', submissionId: 'cramped', attachments })
    const put = () =>
      fetch(`${server.url}/v1/submissions/cramped/attachments/${sha256}`, {
        method: 'PUT',
        headers,
        body: bytes,
      })

    expect((await fetch(`${server.url}/v1/issues`, { method: 'POST', headers, body })).status).toBe(201)
    const refused = await put()
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([507, '300'])
    const again = await fetch(`${server.url}/v1/issues`, {
      method: 'POST',
      headers,
      body: '{"title":"Still"}',
    })
    expect(again.status).toBe(201)
    free()
    expect((await put()).status).toBe(201)
  },
)

test(
  'a disk that is full in the middle of a file: 507, counted, and later the same upload succeeds',
  PATIENT,
  async () => {
    using folder = temporaryFolder()
    const { server, free } = await withSmallFiles(folder.path)
    await using _ = server
    const { secretKey } = await printedKeys(server)
    const headers = { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' }
    const submit = async (body: object) =>
      (await fetch(`${server.url}/v1/issues`, { method: 'POST', headers, body: JSON.stringify(body) })).status
    const bytes = randomBytes(8 * 2 ** 20)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const attachments = [
      { name: 'a.bin', contentType: 'application/octet-stream', size: bytes.length, sha256 },
    ]
    const path = `${server.url}/v1/submissions/large/attachments/${sha256}`
    const put = () => fetch(path, { method: 'PUT', headers, body: bytes })

    expect(await submit({ title: 'With a file', submissionId: 'large', attachments })).toBe(201)
    const refused = await put()
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([507, '300'])
    expect(await refused.json()).toMatchObject({ code: 'insufficient-storage' })
    expect(readdirSync(join(folder.path, 'bugle.db-files', 'unfinished'))).toEqual([])
    expect(await submit({ title: 'Still' })).toBe(201)
    const metrics = await fetch(`${server.url}/metrics`, {
      headers: { authorization: `Bearer ${METRICS_TOKEN}` },
    })
    expect(await metrics.text()).toMatch(/^bugle_http_problems_total\{[^}]*code="insufficient-storage"\} 1$/m)
    free()
    const received = await put()
    expect(received.status).toBe(201)
    const { id } = (await received.json()) as { readonly id: string }
    const download = await fetch(`${server.url}/v1/attachments/${id}`, { headers })
    expect(Buffer.from(await download.arrayBuffer()).equals(bytes)).toBe(true)
  },
)
