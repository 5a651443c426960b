import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createRandom } from '../../packages/server/src/demo/random.ts'
import { temporaryFolder } from '../../packages/server/test-support/temporary-folder.ts'
import { openClient } from '../support/load.ts'
import { printedKeys } from '../support/start-server.ts'
import { PATIENT, SEED } from './effort.ts'
import { expectIntact } from './expect-intact.ts'
import { note } from './figures.ts'
import { createLedger } from './ledger.ts'
import { startCramped } from './limited-space.ts'
import { settleAll, startSending } from './send.ts'

test(
  'while the disk is full reports are turned away, and afterwards it goes on by itself',
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
    await expect.poll(() => ledger.countOpen(), { timeout: 30_000 }).toBeGreaterThan(0)
    // Long enough for what the server writes by itself, such as the full-text index.
    await sleep(1_500)
    await sending.stop()
    expect(await readiness()).toBe(503)
    expect((await client.get('/v1/issues?pageSize=1')).status).toBe(200)

    free()
    await expect.poll(readiness, { timeout: 10_000 }).toBe(200)
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

test('a full disk is noticed before anybody has reported', PATIENT, async () => {
  using folder = temporaryFolder()
  const { server, fill, free } = await startCramped(folder.path)
  await using _ = server
  const { secretKey: key } = await printedKeys(server)
  await using client = openClient(server.url, key)
  const readiness = async () => (await client.get('/readyz')).status
  expect(await readiness()).toBe(200)
  fill()
  await expect.poll(readiness, { timeout: 10_000 }).toBe(503)
  free()
  await expect.poll(readiness, { timeout: 10_000 }).toBe(200)
})
