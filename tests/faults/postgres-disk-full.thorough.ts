import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApp, type TestApp } from '../../packages/server/test-support/start-app.ts'
import { type CrampedPostgres, canLimitPostgres, startCrampedPostgres } from './limited-postgres.ts'

const REPORTS = 150
const IS_POSSIBLE = canLimitPostgres()

let cramped: CrampedPostgres
let api: TestApp

beforeAll(async () => {
  if (!IS_POSSIBLE) return
  cramped = await startCrampedPostgres()
  api = await startApp({ databaseUrl: cramped.postgres.url })
})
afterAll(async () => {
  if (!IS_POSSIBLE) return
  await api[Symbol.asyncDispose]()
  await cramped.postgres.stop()
})

test.skipIf(!IS_POSSIBLE)(
  'PostgreSQL: on a full disk it is not ready, and reports that do not fit are refused with 503',
  async () => {
    const { publicKey, secretKey } = await api.addProject()
    const readiness = async () => (await api.send('GET', '/readyz')).status
    // Every report has values that were not counted before, so that statements are sent without waiting for results.
    const submit = async (label: string) => {
      const body = {
        title: label,
        appVersion: label,
        description: `${label} `.repeat(2_000).slice(0, 15_000),
      }
      return (await api.send('POST', '/v1/issues', { key: publicKey, body })).status
    }
    expect(await submit('before')).toBe(201)
    expect(await readiness()).toBe(200)

    cramped.fill()
    await expect.poll(readiness).toBe(503)
    const statuses: number[] = []
    for (let round = 0; round < REPORTS / 10; round++) {
      const labels = Array.from({ length: 10 }, (_, index) => `${round}.${index}`)
      statuses.push(...(await Promise.all(labels.map(submit))))
    }
    expect(new Set(statuses.filter((status) => status !== 201))).toEqual(new Set([503]))
    expect((await api.send('GET', '/v1/issues?pageSize=1', { key: secretKey })).status).toBe(200)

    cramped.free()
    await expect.poll(readiness).toBe(200)
    expect(await submit('after')).toBe(201)
  },
)
