import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parsePrometheus } from '../../../../test-support/parse-prometheus.ts'
import { soon } from '../../../../test-support/soon.ts'
import { startApp, type TestApp } from '../../../../test-support/start-app.ts'
import { startReceiver } from '../../../../test-support/start-receiver.ts'
import { temporaryDatabase } from '../../../../test-support/temporary-database.ts'

const TOKEN = 'a-token-of-the-operator'
/** Parts of names that are not base units, and abbreviations of units. */
const NO_BASE_UNITS =
  /^(?:milliseconds?|microseconds?|nanoseconds?|minutes?|hours?|days?|weeks?|bits?|percent|kilobytes?|megabytes?|gigabytes?|s|ms|us|ns|sec|b|kb|mb|gb|tb|pb|m|h|d)$/
const UNHEARD = `bgl_sec_${'x'.repeat(36)}`

let api: TestApp

beforeAll(async () => {
  api = await startApp({
    environment: { BUGLE_ALLOW_PRIVATE_WEBHOOKS: '127.0.0.1', BUGLE_METRICS_TOKEN: TOKEN },
  })
})
afterAll(() => api[Symbol.asyncDispose]())

describe('the metrics', () => {
  test('can be parsed, and no series occurs twice', async () => {
    const { status, headers, text } = await api.send('GET', '/metrics', { key: TOKEN })
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    expect(headers.get('cache-control')).toBe('no-store')
    const families = parsePrometheus(text)
    const series = [...families.values()].flatMap(({ samples }) =>
      samples.map(({ name, labels }) => `${name} ${JSON.stringify(Object.entries(labels).toSorted())}`),
    )
    expect(new Set(series).size).toBe(series.length)
    expect([...families.keys()]).toEqual(
      expect.arrayContaining([
        'bugle_commit_calls',
        'bugle_commit_duration_seconds',
        'bugle_delivery_attempts_total',
        'bugle_delivery_lag_seconds',
        'bugle_http_connections',
        'bugle_http_problems_total',
        'bugle_http_request_duration_seconds',
        'bugle_info',
        'bugle_storage_up',
        'bugle_write_queue_depth',
        'nodejs_eventloop_lag_p99_seconds',
        'process_cpu_seconds_total',
        'process_resident_memory_bytes',
      ]),
    )
  })

  test('count requests by the pattern of their address, and never by the address', async () => {
    const project = await api.addProject()
    const submit = () => api.send('POST', '/v1/issues', { key: project.publicKey, body: { title: 'x' } })
    const { body } = await submit()
    await submit()
    await api.send('GET', `/v1/issues/${body.id}?q=who-knows`, { key: project.secretKey })
    await api.send('GET', '/nowhere/somewhere')

    const durations = await read('bugle_http_request_duration_seconds')
    expect(durations('_count', { method: 'POST', route: '/v1/issues', status: '2xx' })).toBe(2)
    expect(durations('_count', { method: 'GET', route: '/v1/issues/:id', status: '2xx' })).toBe(1)
    expect(durations('_count', { method: 'GET', route: 'none', status: '4xx' })).toBe(1)
    expect(durations('_bucket', { method: 'POST', route: '/v1/issues', le: '+Inf' })).toBe(2)
    const { text } = await api.send('GET', '/metrics', { key: TOKEN })
    for (const strange of [body.id, 'who-knows', 'somewhere', project.id, project.slug])
      expect(text).not.toContain(strange)
  })

  test('count problems by their code: without a key, with a wrong one, refused, unreadable', async () => {
    const project = await api.addProject()
    const before = await problems()
    await api.send('POST', '/v1/issues', { body: { title: 'x' } })
    await api.send('POST', '/v1/issues', { key: UNHEARD, body: { title: 'x' } })
    await api.send('POST', '/v1/issues', { key: project.publicKey, body: {} })
    await api.send('GET', '/v1/issues/%zz')
    const after = await problems()
    const grown = [...after].filter(([what, count]) => count > (before.get(what) ?? 0)).map(([what]) => what)
    expect(grown.toSorted()).toEqual([
      '/v1/issues credentials-required',
      '/v1/issues invalid-credentials',
      '/v1/issues validation-failed',
      'none bad-request',
    ])
  })

  test('count rate-limited requests', async () => {
    await using limited = await startApp({
      environment: { BUGLE_RATE_LIMITS: 'submit=1', BUGLE_METRICS_TOKEN: TOKEN },
    })
    const { publicKey: key } = await limited.addProject()
    for (let n = 0; n < 3; n++) await limited.send('POST', '/v1/issues', { key, body: { title: 'x' } })
    expect((await problems(limited)).get('/v1/issues rate-limited')).toBe(2)
  })

  test('include commits and waiting writes', async () => {
    const project = await api.addProject()
    const before = await read('bugle_commit_calls')
    await api.send('POST', '/v1/issues', { key: project.publicKey, body: { title: 'x' } })
    const after = await read('bugle_commit_calls')
    expect(after('_count')).toBeGreaterThan(before('_count') ?? 0)
    const durations = await read('bugle_commit_duration_seconds')
    expect(durations('_sum')).toBeGreaterThan(0)
    expect((await read('bugle_write_queue_depth'))('')).toBe(0)
  })

  test('include the delay of deliveries', async () => {
    await using receiver = await startReceiver()
    const project = await api.addProject()
    const key = project.secretKey
    await api.send('POST', '/v1/webhooks', { key, body: { url: receiver.url } })
    await api.send('POST', '/v1/issues', { key, body: { title: 'x' } })
    await soon(async () => {
      const lags = await read('bugle_delivery_lag_seconds')
      expect(lags('_count')).toBe(1)
      expect(lags('_sum')).toBeLessThan(10)
    })
    expect((await read('bugle_delivery_attempts_total'))('', { outcome: 'taken' })).toBe(1)
  })

  test('follow the conventions of Prometheus', async () => {
    // The rules of `promtool check metrics`.
    const { text } = await api.send('GET', '/metrics', { key: TOKEN })
    const faults = [...parsePrometheus(text).values()].flatMap(({ name, type, help }) => [
      ...(help === '' ? [`${name} has no help`] : []),
      ...(name.endsWith('_total') === (type === 'counter') ? [] : [`${name} is a ${type}`]),
      ...(/_(?:count|sum|bucket)$|[A-Z:]|_(?:gauge|counter|histogram|summary|metric)(?:_|$)/.test(name)
        ? [`${name} has a misleading name`]
        : []),
      ...name
        .split('_')
        .filter((part) => NO_BASE_UNITS.test(part))
        .map((unit) => `${name} is in ${unit}`),
    ])
    expect(faults).toEqual([])
  })

  test('include the database, its disk and webhooks by state', async () => {
    await using receiver = await startReceiver()
    receiver.react(() => ({ status: 500 }))
    await using database = await temporaryDatabase()
    await using own = await startApp({
      databaseUrl: database.url,
      environment: { BUGLE_ALLOW_PRIVATE_WEBHOOKS: '127.0.0.1', BUGLE_METRICS_TOKEN: TOKEN },
    })
    const { secretKey: key } = await own.addProject()
    const add = () => own.send('POST', '/v1/webhooks', { key, body: { url: receiver.url } })
    const [{ body: paused }] = [await add(), await add()]
    await own.send('PATCH', `/v1/webhooks/${paused.id}`, {
      key,
      body: { status: 'paused' },
      headers: { 'content-type': 'application/merge-patch+json' },
    })
    await own.send('POST', '/v1/issues', { key, body: { title: 'x' } })
    await soon(async () => {
      const webhooks = await read('bugle_webhooks', own)
      const states = ['active', 'failing', 'paused'].map((state) => webhooks('', { state }))
      expect(states).toEqual([0, 1, 1])
      expect((await read('bugle_deliveries_pending', own))('')).toBeGreaterThan(0)
    })
    expect((await read('bugle_database_bytes', own))('')).toBeGreaterThan(0)
    const wal = (await read('bugle_database_wal_bytes', own))('')
    const disks = await read('bugle_disk_free_bytes', own)
    const lead = (await read('bugle_clock_lead_seconds', own))('')
    const known = [wal, disks('', { holds: 'database' }), disks('', { holds: 'attachments' })]
    // What is not known has no sample.
    const isOnSqlite = database.url.startsWith('sqlite:')
    expect(known.map((bytes) => (bytes ?? 0) > 0)).toEqual(known.map(() => isOnSqlite))
    expect(lead === undefined).toBe(isOnSqlite)
  })

  test('report that the storage is down', async () => {
    expect((await read('bugle_storage_up'))('')).toBe(1)
    await using broken = await startApp({ environment: { BUGLE_METRICS_TOKEN: TOKEN } })
    await broken.app.storage.close()
    expect((await read('bugle_storage_up', broken))('')).toBe(0)
  })
})

describe('who may read them', () => {
  test.each<[string, Record<string, string>, Record<string, string>]>([
    ['a process on this machine', {}, {}],
    [
      'a proxy that adds nothing, as with a bare proxy_pass',
      {},
      { host: '127.0.0.1:4000', connection: 'close' },
    ],
    ['a proxy that is trusted', { BUGLE_TRUST_PROXY: '127.0.0.1' }, { 'x-forwarded-for': '127.0.0.1' }],
    ['a server with a public address', { BUGLE_PUBLIC_URL: 'http://localhost:4000' }, {}],
    ['an empty token', {}, { authorization: 'Bearer ' }],
    ['a token of another server', {}, { authorization: `Bearer ${TOKEN}` }],
  ])('no one while no token is set: %s', async (_, environment, headers) => {
    await using open = await startApp({ environment })
    const response = get(`${open.url}/metrics`, { headers })
    const [message] = (await once(response, 'response')) as [IncomingMessage]
    const body = JSON.parse(Buffer.concat(await message.toArray()).toString())
    expect([message.statusCode, body.code]).toEqual([401, 'credentials-required'])
    expect(body.detail).toMatch(/Set BUGLE_METRICS_TOKEN to .* restart .* "Authorization: Bearer <token>"/)
  })

  test('only clients that send the token', async () => {
    await using guarded = await startApp({ environment: { BUGLE_METRICS_TOKEN: TOKEN } })
    const { secretKey } = await guarded.addProject()
    const forwarded = { 'x-forwarded-for': '203.0.113.7' }
    const ask = async (options: { key?: string; headers?: Record<string, string> }) => {
      const { status, body } = await guarded.send('GET', '/metrics', options)
      return body?.code ?? status
    }
    expect(await ask({})).toBe('credentials-required')
    expect(await ask({ key: `${TOKEN.slice(0, -1)}!` })).toBe('invalid-credentials')
    expect(await ask({ key: `${TOKEN}!` })).toBe('invalid-credentials')
    expect(await ask({ key: secretKey })).toBe('invalid-credentials')
    expect(await ask({ headers: { authorization: `Basic ${TOKEN}` } })).toBe('invalid-credentials')
    expect(await ask({ headers: { authorization: TOKEN } })).toBe('invalid-credentials')
    expect(await ask({ key: TOKEN })).toBe(200)
    expect(await ask({ key: TOKEN, headers: forwarded })).toBe(200)
    expect((await fetch(`${guarded.url}/metrics`, { method: 'HEAD' })).status).toBe(401)
  })
})

/** Finds the value of a sample by the ending of its name and some of its labels. */
type Lookup = (ending: string, labels?: Readonly<Record<string, string>>) => number | undefined

async function read(name: string, from: TestApp = api): Promise<Lookup> {
  const samples = (await familiesOf(from)).get(name)?.samples ?? []
  return (ending, wanted = {}) =>
    samples.find(
      (sample) =>
        sample.name === name + ending &&
        Object.entries(wanted).every(([label, value]) => sample.labels[label] === value),
    )?.value
}

async function problems(from: TestApp = api): Promise<ReadonlyMap<string, number>> {
  const samples = (await familiesOf(from)).get('bugle_http_problems_total')?.samples ?? []
  return new Map(samples.map(({ labels, value }) => [`${labels['route']} ${labels['code']}`, value]))
}

async function familiesOf(from: TestApp) {
  return parsePrometheus((await from.send('GET', '/metrics', { key: TOKEN })).text)
}
