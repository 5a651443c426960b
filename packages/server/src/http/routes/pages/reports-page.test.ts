import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../../../../test-support/start-app.ts'
import { REPORTS_PAGE_PATH } from './reports-page.ts'

const SECRET = 'A'.repeat(43)

let api: TestApp
beforeAll(async () => {
  api = await startApp()
})
afterAll(() => api[Symbol.asyncDispose]())

describe('the page of a reporter', () => {
  it('loads only files of this server, cannot be framed, and tells no one its address', async () => {
    const { status, headers, text } = await api.send('GET', REPORTS_PAGE_PATH)
    expect(status).toBe(200)
    expect(text).toContain('src="sdk/bugle-reports-page.mjs"')
    const policy = String(headers.get('content-security-policy'))
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toMatch(/unsafe|\*|https?:|data:/)
    expect(Object.fromEntries(headers)).toMatchObject({
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex',
      'cache-control': 'no-cache',
    })
  })

  it('is the same for everyone, and is not sent again while it is unchanged', async () => {
    const { headers, text } = await api.send('GET', REPORTS_PAGE_PATH)
    const other = await api.send('GET', REPORTS_PAGE_PATH, { headers: { cookie: 'bugle_session=x' } })
    expect(other.text).toBe(text)
    const again = await api.send('GET', REPORTS_PAGE_PATH, {
      headers: { 'if-none-match': String(headers.get('etag')) },
    })
    expect([again.status, again.text]).toEqual([304, ''])
  })

  it('may use a key that lists other origins, for conversations and for nothing else', async () => {
    const project = await api.addProject()
    const key = await api.addKey({ project, kind: 'public', origins: ['https://app.example'] })
    const ask = async (path: string, origin: string) =>
      (await api.send('GET', path, { key, headers: { origin, 'bugle-reporter': SECRET } })).status
    // The second time, the key is cached.
    for (const _ of [1, 2]) {
      expect(await ask('/v1/my/reports', api.url)).toBe(200)
      expect(await ask('/v1/my/reports', 'https://app.example')).toBe(200)
      expect(await ask('/v1/my/reports', 'https://other.example')).toBe(403)
      expect(await ask('/v1/my/reports', 'null')).toBe(403)
      expect(await ask('/v1/sdk-config', api.url)).toBe(403)
    }
  })
})
