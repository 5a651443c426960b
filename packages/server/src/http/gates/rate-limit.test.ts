import { parseList } from 'structured-headers'
import { describe, expect, it } from 'vitest'
import { type Answer, startApp } from '../../../test-support/start-app.ts'
import { mintKey } from '../../domain/projects/keys.ts'

const LIMITS = 'submit=3,project=5,secret=4,anonymous=2,credentials=2'
const WRONG_KEY = mintKey({
  projectId: null,
  kind: 'secret',
  name: null,
  scopes: [],
  origins: [],
  createdAt: 0,
}).token

describe('rate limits', () => {
  it('accept a burst of submissions, then report correctly when the next one is due', async () => {
    await using api = await startLimited()
    const submit = (key: string) => api.send('POST', '/v1/issues', { key, body: { title: 'Blank' } })
    const { publicKey, secretKey } = await api.addProject()
    for (const remaining of [2, 1, 0]) {
      const { status, headers } = await submit(publicKey)
      expect([status, headers.get('retry-after')]).toEqual([201, null])
      expect(policiesOf(headers)).toEqual({ submit: { q: 3, w: 60 }, project: { q: 5, w: 60 } })
      // If nothing is left, the time of the next request; otherwise, when the whole quota is available again.
      const t = remaining === 0 ? 20 : (3 - remaining) * 20
      expect(statesOf(headers)['submit']).toEqual({ r: remaining, t })
    }
    const limited = await submit(publicKey)
    expect([limited.status, limited.body.code]).toEqual([429, 'rate-limited'])
    expect(limited.body.detail).toBe(
      'A key may submit 3 reports a minute from one address. Try again in 20 s.',
    )
    expect(statesOf(limited.headers)['submit']).toEqual({ r: 0, t: 20 })
    expect(retryAfterOf(limited)).toBe(20)

    api.wait(19_999)
    expect((await submit(publicKey)).status).toBe(429)
    api.wait(1)
    expect((await submit(publicKey)).status).toBe(201)
    const listed = await api.send('GET', '/v1/issues', { key: secretKey })
    expect(listed.body.pagination.totalCount).toBe(4)
  })

  it('charge a project for the time of its bulk changes, three of which are never refused', async () => {
    // Far less than three take.
    await using api = await startLimited({ BUGLE_RATE_LIMITS: 'bulk=1' })
    const [project, other] = [await api.addProject(), await api.addProject()]
    const { body } = await api.send('POST', '/v1/issues', {
      key: project.publicKey,
      body: { title: 'Blank' },
    })
    const change = (number: number, key = project.secretKey) =>
      api.send('POST', '/v1/issues/bulk', {
        key,
        body: {
          bulkId: `change-${number}`,
          issues: [{ id: body.id, version: number }],
          action: 'change',
          patch: { priority: number % 2 === 0 ? 'low' : 'high' },
        },
      })
    for (const number of [1, 2, 3]) expect((await change(number)).status).toBe(200)
    const refused = await change(4)
    expect([refused.status, refused.body.code, retryAfterOf(refused)]).toEqual([429, 'rate-limited', 20])
    const retried = await change(3)
    expect([retried.status, retried.headers.get('idempotency-replayed')]).toEqual([200, 'true'])
    const elsewhere = await change(4, other.secretKey)
    expect([elsewhere.status, elsewhere.body.code]).toEqual([409, 'selection-changed'])
    api.wait(20_000)
    expect((await change(4)).status).toBe(200)
  })

  it('let pages of other origins read the 429 response', async () => {
    await using api = await startLimited()
    const { publicKey } = await api.addProject()
    const headers = { origin: 'https://app.example', 'content-type': 'text/plain' }
    const submit = () => api.send('POST', '/v1/issues', { body: { publicKey, title: 'Blank' }, headers })
    const answers = [await submit(), await submit(), await submit(), await submit()]
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 429])
    for (const answer of answers) {
      expect(answer.headers.get('access-control-allow-origin')).toBe('*')
      expect(answer.headers.get('access-control-expose-headers')).toMatch(
        /Retry-After, RateLimit, RateLimit-Policy/,
      )
      expect(Object.keys(policiesOf(answer.headers))).toEqual(['submit', 'project'])
    }
  })

  it('apply the limit of a project to all its keys together', async () => {
    await using api = await startLimited()
    const project = await api.addProject()
    const other = await api.addProject()
    const keys = [project.publicKey, await api.addKey({ project, kind: 'public' })]
    const statuses: number[] = []
    for (const key of [...keys, ...keys, ...keys]) {
      statuses.push((await api.send('POST', '/v1/issues', { key, body: { title: 'Blank' } })).status)
    }
    expect(statuses).toEqual([201, 201, 201, 201, 201, 429])
    const elsewhere = await api.send('POST', '/v1/issues', { key: other.publicKey, body: { title: 'Blank' } })
    expect(elsewhere.status).toBe(201)
  })

  it('count a limited submission in the intake, and store nothing of it', async () => {
    await using api = await startLimited()
    const { publicKey, secretKey, slug } = await api.addProject()
    for (let count = 0; count < 5; count++)
      await api.send('POST', '/v1/issues', { key: publicKey, body: { title: 'Blank' } })
    await expect
      .poll(async () => {
        api.wait(60_000)
        const { body } = await api.send('GET', `/v1/projects/${slug}/stats`, { key: secretKey })
        return [body.intake.received, body.intake.stored, body.intake.limited]
      })
      .toEqual([5, 3, 2])
  })

  it('count a submission from a page that may not use the key, limited or not, in the intake', async () => {
    await using api = await startLimited()
    const project = await api.addProject()
    const key = await api.addKey({ project, kind: 'public', origins: ['https://app.example'] })
    const headers = { origin: 'https://evil.example' }
    const statuses: number[] = []
    for (let sent = 0; sent < 4; sent++) {
      statuses.push((await api.send('POST', '/v1/issues', { key, body: { title: 'Blank' }, headers })).status)
    }
    expect(statuses).toEqual([403, 403, 429, 429])
    const intake = async () => {
      const { body } = await api.send('GET', `/v1/projects/${project.slug}/stats`, { key: project.secretKey })
      return body.intake
    }
    const counted = { received: 4, stored: 0, limited: 2, refused: { 'origin-not-allowed': 2 } }
    await expect.poll(intake).toMatchObject(counted)
  })

  it('count the requests of a secret key', async () => {
    await using api = await startLimited()
    const { secretKey } = await api.addProject()
    const list = () => api.send('GET', '/v1/issues', { key: secretKey })
    const statuses = [await list(), await list(), await list(), await list(), await list()].map(
      ({ status }) => status,
    )
    expect(statuses).toEqual([200, 200, 200, 200, 429])
  })

  it('count anonymous readers, whether they have access or not', async () => {
    await using api = await startLimited()
    const { slug, secretKey } = await api.addProject({ isPublic: true })
    expect((await api.send('GET', `/v1/projects/${slug}`)).status).toBe(200)
    const refused = await api.send('GET', '/v1/projects/hidden')
    expect([refused.status, statesOf(refused.headers)['anonymous']?.['r']]).toEqual([401, 0])
    const limited = await api.send('GET', `/v1/projects/${slug}`)
    expect([limited.status, retryAfterOf(limited)]).toEqual([429, 30])
    expect((await api.send('GET', `/v1/projects/${slug}`, { key: secretKey })).status).toBe(200)
  })

  it('count requests without a route separately', async () => {
    await using api = await startLimited()
    const { slug } = await api.addProject({ isPublic: true })
    const { status, headers } = await api.send('QUERY', '/v1/issues')
    expect([status, statesOf(headers)['anonymous']?.['r']]).toEqual([405, 1])
    expect((await api.send('POST', '/nope', { body: '{' })).status).toBe(404)
    const limited = await api.send('PROPFIND', '/nope')
    expect([limited.status, retryAfterOf(limited)]).toEqual([429, 30])
    expect((await api.send('GET', `/v1/projects/${slug}`)).status).toBe(200)
    expect((await api.send('GET', '/healthz')).status).toBe(200)
  })

  it('count sign-in attempts before their body is read, those of a known browser separately', async () => {
    await using api = await startLimited()
    const signIn = (headers: Record<string, string> = {}) =>
      api.send('POST', '/session', { body: '{', headers })
    const statuses = [await signIn(), await signIn(), await signIn()].map(({ status }) => status)
    expect(statuses).toEqual([400, 400, 429])
    expect((await signIn({ cookie: 'bugle_device=known' })).status).toBe(400)
    expect((await api.send('POST', '/session/link', { body: '{' })).status).toBe(429)
    expect((await api.send('GET', '/session')).status).toBe(401)
  })

  it('count a submission by the key in its body before it is parsed', async () => {
    await using api = await startLimited()
    const { publicKey } = await api.addProject()
    const submit = (key: string) =>
      api.send('POST', '/v1/issues', {
        body: `{"publicKey" : "${key}", "title"`,
        headers: { 'content-type': 'text/plain' },
      })
    const answers = [await submit(publicKey), await submit(publicKey), await submit(publicKey)]
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400])
    expect((await submit(publicKey)).status).toBe(429)
    const guesses = [await submit('bgl_pub_x'), await submit('nonsense'), await submit('bgl_pub_y')]
    expect(guesses.map(({ status }) => status)).toEqual([401, 401, 429])
  })

  it('refuse further wrong keys, but no valid ones', async () => {
    await using api = await startLimited()
    const { secretKey } = await api.addProject()
    const list = (key: string) => api.send('GET', '/v1/issues', { key })
    const guesses = [await list(WRONG_KEY), await list('nonsense'), await list(WRONG_KEY)]
    expect(guesses.map(({ body }) => body.code)).toEqual([
      'invalid-credentials',
      'invalid-credentials',
      'rate-limited',
    ])
    expect(Object.keys(policiesOf(guesses[0]?.headers ?? new Headers()))).toEqual(['credentials'])
    expect((await list(secretKey)).status).toBe(200)
  })

  it('distinguish clients only by the address that a trusted proxy forwards', async () => {
    await using direct = await startLimited()
    await using proxied = await startLimited({ BUGLE_TRUST_PROXY: '127.0.0.1' })
    const statusesOf = async (api: typeof direct, ...addresses: readonly string[]) => {
      const statuses: number[] = []
      for (const address of addresses) {
        const headers = { 'x-forwarded-for': address }
        statuses.push((await api.send('GET', '/v1/projects/hidden', { headers })).status)
      }
      return statuses
    }
    expect(await statusesOf(direct, '203.0.113.1', '203.0.113.2', '203.0.113.3')).toEqual([401, 401, 429])
    expect(await statusesOf(proxied, '203.0.113.1', '203.0.113.2', '203.0.113.3')).toEqual([401, 401, 401])
    const spoofed = ['198.51.100.1, 203.0.113.1', '198.51.100.2, 203.0.113.1']
    expect(await statusesOf(proxied, ...spoofed)).toEqual([401, 429])
    const neighbours = ['2001:db8::1', '2001:db8::2', '2001:db8:0:0:ffff::3', '2001:db8:0:1::1']
    expect(await statusesOf(proxied, ...neighbours)).toEqual([401, 401, 429, 401])
  })

  it('do not apply to health checks, documents and preflights', async () => {
    await using api = await startLimited()
    const requests = [
      ['GET', '/healthz'],
      ['GET', '/docs'],
      ['OPTIONS', '/v1/issues'],
    ] as const
    for (const [method, path] of [...requests, ...requests, ...requests]) {
      const { status, headers } = await api.send(method, path)
      expect([path, status < 300, headers.has('ratelimit')]).toEqual([path, true, false])
    }
  })

  it('have no effect when they are off', async () => {
    await using api = await startApp()
    const { publicKey } = await api.addProject()
    const { status, headers } = await api.send('POST', '/v1/issues', {
      key: publicKey,
      body: { title: 'Blank' },
    })
    expect([status, headers.has('ratelimit'), headers.has('ratelimit-policy')]).toEqual([201, false, false])
  })
})

/** An app with tight limits and a clock that only the test advances. */
async function startLimited(environment: Readonly<Record<string, string>> = {}) {
  let now = Date.UTC(2026, 10, 15)
  const api = await startApp({ clock: () => now, environment: { BUGLE_RATE_LIMITS: LIMITS, ...environment } })
  return {
    ...api,
    wait(ms: number) {
      now += ms
    },
  }
}

function retryAfterOf({ headers }: Answer): number {
  return Number(headers.get('retry-after'))
}

function policiesOf(headers: Headers) {
  return readList(headers, 'ratelimit-policy')
}

function statesOf(headers: Headers) {
  return readList(headers, 'ratelimit')
}

/** The items of a structured list (RFC 9651) with their parameters. */
function readList(headers: Headers, name: string): Record<string, Record<string, unknown>> {
  const items = parseList(headers.get(name) ?? '')
  return Object.fromEntries(items.map(([item, parameters]) => [String(item), Object.fromEntries(parameters)]))
}
