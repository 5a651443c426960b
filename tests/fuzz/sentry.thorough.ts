import { request } from 'node:http'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import fc, { type Arbitrary } from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sentryAuth, sentryPath } from '../../packages/server/test-support/sentry-stage.ts'
import { startApp, type TestApp, type TestProject } from '../../packages/server/test-support/start-app.ts'
import { junk } from './values.ts'

const RUNS = 400

let api: TestApp
let project: TestProject
beforeAll(async () => {
  api = await startApp({ environment: { BUGLE_RATE_LIMITS: 'off' } })
  project = await api.addProject()
})
afterAll(() => api[Symbol.asyncDispose]())

const NAMES = [
  ...['event_id', 'message', 'logentry', 'exception', 'threads', 'level', 'release', 'dist', 'platform'],
  ...['timestamp', 'tags', 'extra', 'contexts', 'user', 'request', 'sdk', 'fingerprint', 'transaction'],
]
const frame = fc.record(
  {
    function: junk,
    filename: junk,
    module: junk,
    lineno: junk,
    in_app: junk,
    context_line: junk,
    pre_context: junk,
  },
  { requiredKeys: [] },
)
const exception = fc.record(
  { type: junk, value: junk, mechanism: junk, stacktrace: fc.record({ frames: fc.array(frame) }) },
  { requiredKeys: [] },
)
const event = fc.oneof(
  fc.dictionary(fc.constantFrom(...NAMES), junk),
  fc.record({ exception: fc.record({ values: fc.array(exception, { maxLength: 12 }) }), level: junk }),
)

/** An item: its type, its length if it says one, and its payload. */
const item = fc.record({
  type: fc.oneof(
    fc.constantFrom(
      'event',
      'event',
      'feedback',
      'user_report',
      'attachment',
      'transaction',
      'client_report',
    ),
    fc.string({ maxLength: 8 }),
  ),
  length: fc.oneof(
    { arbitrary: fc.constant('right' as const), weight: 6 },
    { arbitrary: fc.constantFrom(undefined, 0, -1, 1.5, 3, 1e9, 'x'), weight: 1 },
  ),
  payload: fc.oneof(
    event.map((value) => JSON.stringify(value) ?? ''),
    fc.string({ maxLength: 60 }),
  ),
})

const envelope: Arbitrary<string> = fc
  .record({
    header: fc.oneof(
      fc.record({ event_id: fc.oneof(fc.uuid(), junk), dsn: junk }, { requiredKeys: [] }),
      junk,
    ),
    items: fc.array(item, { maxLength: 5 }),
    end: fc.constantFrom('', '\n', '\n\n', '\r\n', '{'),
  })
  .map(({ header, items, end }) => {
    const parts = items.map(({ type, length, payload }) => {
      const said = length === 'right' ? Buffer.byteLength(payload) : length
      return `${JSON.stringify({ type, length: said })}\n${payload}`
    })
    return [JSON.stringify(header), ...parts].join('\n') + end
  })

const PACKED = {
  identity: (bytes: Buffer) => bytes,
  gzip: (bytes: Buffer) => gzipSync(bytes),
  deflate: (bytes: Buffer) => deflateSync(bytes),
  br: (bytes: Buffer) => brotliCompressSync(bytes),
  zstd: (bytes: Buffer) => zstdCompressSync(bytes),
} as const

const requests = fc.record({
  end: fc.constantFrom('envelope', 'store'),
  text: fc.oneof(
    { arbitrary: envelope, weight: 6 },
    event.map((value) => JSON.stringify(value) ?? ''),
    fc.string(),
  ),
  packed: fc.constantFrom(...(Object.keys(PACKED) as (keyof typeof PACKED)[])),
  // Some bodies are cut, or say that they are packed in another way.
  cut: fc.oneof({ arbitrary: fc.constant(1), weight: 8 }, fc.double({ min: 0, max: 1, noNaN: true })),
  said: fc.option(fc.constantFrom('gzip', 'deflate', 'br', 'zstd', 'x-unknown'), { freq: 8 }),
})

/** Each on a connection of its own: the server may close one after a body that it refuses. */
function post(
  path: string,
  { body, headers }: { readonly body: Buffer; readonly headers: Readonly<Record<string, string>> },
): Promise<number | 'closed' | undefined> {
  return new Promise((resolve) => {
    const length = { 'content-length': String(body.length) }
    const sent = request(`${api.url}${path}`, {
      method: 'POST',
      headers: { ...headers, ...length },
      agent: false,
    })
    sent.on('response', (response) => {
      response.on('error', () => resolve('closed')).on('end', () => resolve(response.statusCode))
      response.resume()
    })
    sent.on('error', () => resolve('closed')).end(body)
  })
}

test(`any envelope is stored, skipped or refused: ${RUNS} of them`, async () => {
  const sent = fc.asyncProperty(requests, async ({ end, text, packed, cut, said }) => {
    const bytes = PACKED[packed](Buffer.from(text))
    const encoding = said ?? packed
    const status = await post(sentryPath(project, end), {
      body: bytes.subarray(0, Math.ceil(bytes.length * cut)),
      headers: { ...sentryAuth(project), ...(encoding !== 'identity' && { 'content-encoding': encoding }) },
    })
    expect([200, 400, 401, 404, 413, 415, 422, 'closed']).toContain(status)
  })
  await fc.assert(sent, { numRuns: RUNS, seed: 31, endOnFailure: true })
  // What was stored can be read, and matches the contract.
  const { secretKey: key } = project
  const { body } = await api.send('GET', '/v1/issues?pageSize=100', { key })
  expect(body.data.length).toBeGreaterThan(1)
  for (const { id } of body.data)
    expect((await api.send('GET', `/v1/issues/${id}/reports`, { key })).status).toBe(200)
})
