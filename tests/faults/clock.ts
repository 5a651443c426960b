import { expect } from 'vitest'
import { createRandom } from '../../packages/server/src/demo/random.ts'
import { startApp } from '../../packages/server/test-support/start-app.ts'
import { SEED } from './effort.ts'
import { expectIntact } from './expect-intact.ts'
import { note } from './figures.ts'
import { createLedger } from './ledger.ts'
import { startSending } from './send.ts'

const HOUR = 3_600_000

/** Sets the clock of a server back by an hour under load. Every order must be preserved. */
export async function setClockBack(name: string, databaseUrl: string): Promise<void> {
  let offset = 0
  const ledger = createLedger(createRandom(SEED))
  await using api = await startApp({ databaseUrl, clock: () => Date.now() + offset })
  const { secretKey: key } = await api.addProject()
  await using sending = startSending({ url: api.url, key, ledger })
  await sending.reaches(100)
  offset = -HOUR
  await sending.reaches(200)
  await sending.stop()

  const list = await api.send('GET', '/v1/issues?pageSize=100', { key })
  const numbers = list.body.data.map((issue: { issueNumber: number }) => issue.issueNumber)
  expect(numbers).toEqual(numbers.toSorted((a: number, b: number) => b - a))
  const [newest] = list.body.data
  expect(Date.parse(newest.createdAt)).toBeLessThan(Date.now() - HOUR / 2)

  // An earlier issue is changed at a time before its creation.
  const oldest = (await api.send('GET', '/v1/issues?sort=oldest&pageSize=1', { key })).body.data[0]
  const moved = await api.send('PATCH', `/v1/issues/${oldest.id}`, { key, body: { status: 'resolved' } })
  expect(moved).toMatchObject({ status: 200, body: { status: 'resolved' } })
  const again = await api.send('PATCH', `/v1/issues/${oldest.id}`, { key, body: { status: 'open' } })
  expect(again.status).toBe(200)
  const history = await api.send('GET', `/v1/issues/${oldest.id}/events`, { key })
  expect(history.body.data.map(({ type }: { type: string }) => type)).toEqual([
    'issue.created',
    'issue.status_changed',
    'issue.status_changed',
  ])
  const findings = await expectIntact(databaseUrl, ledger, { 'issue.status_changed': 2 })
  note({ fault: `${name}: clock set back by an hour under load`, rounds: 1, ...findings })
}
