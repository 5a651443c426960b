import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '../../test-support/start-app.ts'

/** The headers that Chromium sends when a person opens a page. */
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8'
const PROBLEM = 'application/problem+json; charset=utf-8'

let api: TestApp
beforeAll(async () => {
  api = await startApp()
})
afterAll(() => api[Symbol.asyncDispose]())

async function ask(path: string, accept: string | null = BROWSER, method = 'GET') {
  const answer = await fetch(api.url + path, { method, headers: accept === null ? {} : { accept } })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

describe('an unknown address', () => {
  test.each([
    '/nowhere',
    '/docs/nowhere',
    '/problems/nowhere',
    '/assets/nowhere.js',
    '/a/b?c=d',
    '/v10/issues',
  ])('shows a person a page: %s', async (path) => {
    const { status, headers, text } = await ask(path)
    expect([status, headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(text).toContain('<h1>Page not found</h1>')
    for (const way of ['href="/"', 'href="/docs"']) expect(text).toContain(way)
  })

  test.each([
    ['of the API', '/v1/nowhere', BROWSER, 'GET'],
    ['of the API itself', '/v1', BROWSER, 'GET'],
    ['of the sign-in', '/session/nowhere', BROWSER, 'GET'],
    ['requested by a program', '/nowhere', '*/*', 'GET'],
    ['requested without a preference', '/nowhere', null, 'GET'],
    ['requested as JSON', '/nowhere', 'application/json, text/html', 'GET'],
    ['requested as a problem', '/nowhere', 'application/problem+json, text/html;q=0.9', 'GET'],
    ['sent to by a form', '/nowhere', BROWSER, 'POST'],
  ])('is a problem for a program: one %s', async (_, path, accept, method) => {
    const { status, headers, text } = await ask(path, accept, method)
    expect([status, headers.get('content-type')]).toEqual([404, PROBLEM])
    expect(JSON.parse(text)).toMatchObject({ code: 'not-found', status: 404 })
  })

  test('repeats nothing from the request', async () => {
    const { status, text } = await ask('/<script>alert(1)</script>?"onload=alert(2)')
    expect(status).toBe(404)
    expect(text).not.toContain('alert')
    expect(text).toBe((await ask('/nowhere')).text)
  })

  test('is the only refusal that becomes a page: a wrong method is a problem', async () => {
    const { status, headers } = await ask('/docs', BROWSER, 'DELETE')
    expect([status, headers.get('content-type')]).toEqual([405, PROBLEM])
  })
})

describe('a page of the documentation', () => {
  test('does not repeat the Host header', async () => {
    const hostile = 'evil.example"><script>alert(1)</script>'
    const usual = (await ask('/docs/getting-started')).text
    expect(await askAs(hostile, '/docs/getting-started')).toBe(usual)
    expect(await askAs(hostile, '/nowhere')).not.toContain('evil')
  })

  test('uses the public URL in its examples, and only there', async () => {
    await using other = await startApp({ environment: { BUGLE_PUBLIC_URL: 'https://issues.acme.test' } })
    for (const path of ['/docs/getting-started', '/docs/sdk', '/docs/reference']) {
      const page = await (await fetch(other.url + path)).text()
      expect(page, path).toContain('https://issues.acme.test')
      expect(page, path).not.toContain('bugs.example.com')
      expect(page, path).not.toContain('server-url')
    }
    const start = await (await fetch(`${other.url}/docs/getting-started`)).text()
    // The default address of `npm start` is not replaced.
    expect(start).toContain('listens on <code>http://127.0.0.1:4000</code>')
  })

  test('is compressed, and not sent again while it is unchanged', async () => {
    const first = await fetch(`${api.url}/docs/reference`, { headers: { 'accept-encoding': 'br' } })
    expect(first.headers.get('content-encoding')).toBe('br')
    const etag = first.headers.get('etag') ?? ''
    const again = await fetch(`${api.url}/docs/reference`, {
      headers: { 'accept-encoding': 'br', 'if-none-match': etag },
    })
    expect([again.status, await again.text()]).toEqual([304, ''])
    await first.text()
  })

  test('can be searched: the index is one small document', async () => {
    const { status, headers, text } = await ask('/docs/search.json', '*/*')
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
    expect(JSON.parse(text)).toContainEqual(
      expect.objectContaining({ title: 'Webhooks', path: '/docs/webhooks', page: 'Webhooks' }),
    )
  })
})

/** With a Host header that `fetch` would not send. */
function askAs(host: string, path: string): Promise<string> {
  const { port } = new URL(api.url)
  return new Promise((resolve, reject) => {
    const headers = { host, accept: BROWSER }
    request({ host: '127.0.0.1', port, path, headers }, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (chunk) => (text += chunk))
      answer.on('end', () => resolve(text))
    })
      .on('error', reject)
      .end()
  })
}
