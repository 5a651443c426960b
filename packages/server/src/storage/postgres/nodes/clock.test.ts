import { expect, it } from 'vitest'
import { collectLog } from '../../../../test-support/collect-log.ts'
import { parsePrometheus } from '../../../../test-support/parse-prometheus.ts'
import { startApp } from '../../../../test-support/start-app.ts'
import { temporaryPostgresDatabase } from '../../../../test-support/temporary-database.ts'

const TOKEN = 'a-token-of-the-operator'
const WRONG = 'the clocks of this machine and the database differ'

it.each([
  ['ahead', 60],
  ['behind', -60],
])('a clock that is %s of the database is logged once, and a gauge', async (_, seconds) => {
  await using database = await temporaryPostgresDatabase()
  const log = collectLog()
  let ahead = seconds * 1_000
  await using api = await startApp({
    databaseUrl: database.url,
    clock: () => Date.now() + ahead,
    logTo: log.destination,
    intervals: { clockCheck: 20 },
    environment: { BUGLE_LOG_LEVEL: 'info', BUGLE_METRICS_TOKEN: TOKEN },
  })
  const lead = async () => {
    const { text } = await api.send('GET', '/metrics', { key: TOKEN })
    return parsePrometheus(text).get('bugle_clock_lead_seconds')?.samples[0]?.value ?? 0
  }
  await expect
    .poll(async () => Math.sign(await lead()) * Math.round(Math.abs(await lead()) / 30))
    .toBe(seconds / 30)
  expect(log.saying(WRONG)).toHaveLength(1)
  ahead = 0
  await expect.poll(() => log.saying(`resolved: ${WRONG}`).length).toBe(1)
  expect(log.saying(WRONG)).toHaveLength(1)
})
