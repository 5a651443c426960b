import { Agent, request } from 'node:http'
import { expect, it } from 'vitest'
import { collectLog } from '../../../test-support/collect-log.ts'
import { startApp } from '../../../test-support/start-app.ts'
import { HASH_COST } from '../../model/people/password-hashes.ts'

const environment = { BUGLE_LOG_LEVEL: 'info' }

it('an outage is one line without a stack, and one with a count', async () => {
  const log = collectLog()
  const api = await startApp({ environment, logTo: log.destination })
  await api.app.storage.close()
  for (let n = 0; n < 50; n++) expect((await api.send('GET', '/readyz')).status).toBe(503)
  const begun = log.saying('requests are refused')
  expect(begun.map(({ reason }) => reason)).toEqual(['The storage is closed.'])
  expect(JSON.stringify(begun)).not.toMatch(/\.ts:\d+|node:internal/)
  await api[Symbol.asyncDispose]()
  expect(log.saying('resolved: requests are refused')).toMatchObject([
    { reason: 'The storage is closed.', count: 50 },
  ])
})

it('background jobs that fail again and again are one line each', async () => {
  const log = collectLog()
  const api = await startApp({ environment, logTo: log.destination, intervals: { catalogRefresh: 5 } })
  await api.app.storage.close()
  const failing = 'projects, keys and people could not be refreshed'
  await expect.poll(() => log.saying(failing).length).toBe(1)
  await api[Symbol.asyncDispose]()
  const [resolved] = log.saying(`resolved: ${failing}`)
  expect([log.saying(failing).length, typeof resolved?.['count']]).toEqual([1, 'number'])
})

it('sign-ins that are refused under load are one line without a stack, and one with a count', async () => {
  const log = collectLog()
  const api = await startApp({
    environment: { ...environment, BUGLE_TRUST_PROXY: '127.0.0.1' },
    logTo: log.destination,
    hashCost: HASH_COST,
  })
  const statuses = await Promise.all(Array.from({ length: 60 }, (_, n) => signIn(api.url, n)))
  const refused = statuses.filter((status) => status === 503).length
  expect(refused).toBeGreaterThan(10)
  const begun = log.saying('requests are refused')
  expect(begun.map(({ reason }) => reason)).toEqual([
    'Too many people are signing in right now. Try again shortly.',
  ])
  expect(JSON.stringify(begun)).not.toMatch(/\.ts:\d+|node:internal/)
  await api[Symbol.asyncDispose]()
  expect(log.saying('resolved: requests are refused')).toMatchObject([{ count: refused }])
})

const agent = new Agent({ maxSockets: 100 })

/** Each with another account and another address, so that no limit on guesses applies. */
function signIn(url: string, n: number): Promise<number | undefined> {
  const body = JSON.stringify({ email: `person-${n}@example.com`, password: 'correct horse' })
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': `203.0.113.${n}` }
    request(`${url}/session`, { method: 'POST', agent, headers })
      .once('response', (response) => resolve(response.resume().statusCode))
      .once('error', reject)
      .end(body)
  })
}
