import { type Endpoint, endpoints } from '@bugle/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApp, type TestApp } from '../../../test-support/start-app.ts'

const WITHOUT_BODY = Object.values<Endpoint>(endpoints).filter(
  ({ method, body }) => method !== 'GET' && body === undefined,
)
/** Submissions look at no cookie; their own tests send them empty bodies. */
const WITH_BODY = Object.values<Endpoint>(endpoints).filter(
  ({ name, body }) => body !== undefined && name !== endpoints.submitIssue.name,
)

let api: TestApp

beforeAll(async () => {
  api = await startApp()
})
afterAll(() => api[Symbol.asyncDispose]())

/** Sends an empty body that is said to be JSON, to things that do not exist. */
async function sendNothing({ method, path }: Endpoint): Promise<string | number> {
  const key = await api.addUser({ role: 'admin' })
  const headers = { 'content-type': 'application/json' }
  const address = path.replaceAll(/\{\w+\}/g, '1')
  const { status, body } = await api.send(method, address, { key, headers, body: '' })
  return body?.code ?? status
}

test.each(WITHOUT_BODY.map((endpoint) => [endpoint.name, endpoint] as const))(
  '%s, which takes no body, takes an empty one that is called JSON',
  async (_, endpoint) => {
    expect([204, 'not-found']).toContain(await sendNothing(endpoint))
  },
)

test.each(WITH_BODY.map((endpoint) => [endpoint.name, endpoint] as const))(
  '%s, which takes a body, says that an empty one is no JSON',
  async (_, endpoint) => {
    expect(await sendNothing(endpoint)).toBe('malformed-body')
  },
)
