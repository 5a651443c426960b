import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApp, type TestApp, type TestProject } from '../../../test-support/start-app.ts'

let api: TestApp
let project: TestProject

beforeAll(async () => {
  api = await startApp()
  project = await api.addProject()
})
afterAll(() => api[Symbol.asyncDispose]())

test.each([
  ['a success', 'GET', '/v1/issues', 200],
  ['nothing', 'OPTIONS', '/healthz', 204],
  ['a preflight', 'OPTIONS', '/v1/issues', 204],
  ['a page', 'GET', '/docs', 200],
  ['a document', 'GET', '/openapi.json', 200],
  ['a refusal of the metrics', 'GET', '/metrics', 401],
  ['a refusal', 'GET', '/v1/issues?page=x', 400],
  ['a malformed address', 'GET', '/v1/issues/%zz', 400],
  ['an unknown address', 'GET', '/nowhere', 404],
  ['a wrong method', 'PUT', '/v1/issues', 405],
])('%s has the security headers', async (_, method, path, status) => {
  const answer = await fetch(api.url + path, {
    method,
    headers: { authorization: `Bearer ${project.secretKey}` },
  })
  expect(answer.status).toBe(status)
  expectProtected(answer.headers)
})

test('a response to bytes that are not a request has them too', async () => {
  const answer = await new Promise<string>((resolve) => {
    const socket = connect(Number(new URL(api.url).port), '127.0.0.1', () => socket.write('NONSENSE\r\n\r\n'))
    let text = ''
    socket.on('data', (chunk) => (text += chunk)).on('close', () => resolve(text))
  })
  const lines = answer.split('\r\n\r\n')[0]?.split('\r\n').slice(1) ?? []
  expectProtected(new Headers(lines.map((line) => line.split(': ') as [string, string])))
})

test('pages of other origins may embed only what they may request', async () => {
  const policyOf = async (path: string) =>
    (await fetch(api.url + path)).headers.get('cross-origin-resource-policy')
  expect(await policyOf('/v1/sdk-config')).toBe('cross-origin')
  expect(await policyOf('/v1/projects')).toBe('same-origin')
})

function expectProtected(headers: Headers): void {
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  expect(headers.get('referrer-policy')).toBe('no-referrer')
  expect(headers.get('cross-origin-resource-policy')).toMatch(/^(?:same|cross)-origin$/)
  expect(headers.get('bugle-version')).toMatch(/^\d/)
}
