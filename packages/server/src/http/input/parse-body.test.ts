import { type Endpoint, endpoints } from '@bugle/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApp, type TestApp } from '../../../test-support/start-app.ts'

const WITHOUT_BODY = Object.values<Endpoint>(endpoints).filter(
  ({ method, body, hasRawBody }) => method !== 'GET' && body === undefined && hasRawBody !== true,
)
/** What apps send from other origins needs a key, because cookies are ignored there; the tests of submissions send empty bodies. */
const WITH_BODY = Object.values<Endpoint>(endpoints).filter(
  ({ body, crossOrigin }) => body !== undefined && crossOrigin !== true,
)

let api: TestApp

beforeAll(async () => {
  api = await startApp()
})
afterAll(() => api[Symbol.asyncDispose]())

/** Sends an empty body with the JSON content type to resources that do not exist. */
async function sendNothing({ method, path }: Endpoint): Promise<string | number> {
  const key = await api.addUser({ role: 'admin' })
  const headers = { 'content-type': 'application/json' }
  const address = path.replaceAll(/\{\w+\}/g, '1')
  const { status, body } = await api.send(method, address, { key, headers, body: '' })
  return body?.code ?? status
}

test.each(WITHOUT_BODY.map((endpoint) => [endpoint.name, endpoint] as const))(
  '%s, which takes no body, accepts an empty one with the JSON type',
  async (_, endpoint) => {
    expect([204, 'not-found']).toContain(await sendNothing(endpoint))
  },
)

test.each(WITH_BODY.map((endpoint) => [endpoint.name, endpoint] as const))(
  '%s, which takes a body, refuses an empty one as invalid JSON',
  async (_, endpoint) => {
    expect(await sendNothing(endpoint)).toBe('malformed-body')
  },
)
