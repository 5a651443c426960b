import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import { type FastifyInstance, fastify } from 'fastify'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../../test-support/temporary-folder.ts'
import { openDashboard } from '../../pages/dashboard-files.ts'
import { bindDashboard } from './dashboard.ts'

const PAGE = '<!doctype html><title>Bugle</title><script src="/assets/index-abc.js"></script>'
const SCRIPT = 'console.log("page")'.repeat(50)

let folder: ReturnType<typeof temporaryFolder>
let app: FastifyInstance
beforeEach(() => {
  folder = temporaryFolder()
  app = fastify()
  bindDashboard(app, openDashboard(folder.path))
})
afterEach(async () => {
  await app.close()
  folder[Symbol.dispose]()
})

function build(): void {
  mkdirSync(join(folder.path, 'assets'))
  writeFileSync(join(folder.path, 'index.html'), PAGE)
  writeFileSync(join(folder.path, 'manifest.json'), '{}')
  writeFileSync(join(folder.path, 'assets/index-abc.js'), SCRIPT)
  writeFileSync(join(folder.path, 'assets/index-abc.js.br'), brotliCompressSync(SCRIPT))
}

describe('the dashboard', () => {
  it.each([
    '/',
    '/sign-in',
    '/account',
    '/issues',
    '/issues/iss_1',
    '/projects/demo/issues?q=a',
    '/projects/a/b/c',
  ])('is the same page at %s', async (url) => {
    build()
    const { statusCode, body, headers } = await app.inject({ url })
    expect([statusCode, body]).toEqual([200, PAGE])
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
    })
  })

  it('may load only its own files, and cannot be framed', async () => {
    build()
    const { headers } = await app.inject('/')
    const policy = String(headers['content-security-policy'])
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toMatch(/unsafe|\*|https?:/)
  })

  it.each(['/nowhere', '/assets/', '/assets/other.js', '/manifest.json', '/assets/../index.html'])(
    'is not at %s',
    async (url) => {
      build()
      expect((await app.inject({ url })).statusCode).toBe(404)
    },
  )

  it('is not sent again while it is unchanged', async () => {
    build()
    const { headers } = await app.inject('/')
    const again = await app.inject({ url: '/', headers: { 'if-none-match': String(headers.etag) } })
    expect([again.statusCode, again.body]).toEqual([304, ''])
  })

  it('explains how to build it until it is built, and is available right after', async () => {
    const before = await app.inject('/')
    expect(before.statusCode).toBe(503)
    expect(before.body).toContain('npm run build -w packages/dashboard')
    build()
    expect((await app.inject('/')).body).toBe(PAGE)
  })
})

describe('an asset', () => {
  it('may be cached forever, because its name changes with its content', async () => {
    build()
    const { body, headers } = await app.inject('/assets/index-abc.js')
    expect(body).toBe(SCRIPT)
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'Accept-Encoding',
    })
  })

  it('is sent compressed to clients that accept it', async () => {
    build()
    const asked = { url: '/assets/index-abc.js', headers: { 'accept-encoding': 'gzip, br' } }
    const { rawPayload, headers } = await app.inject(asked)
    expect(headers['content-encoding']).toBe('br')
    expect(brotliDecompressSync(rawPayload).toString()).toBe(SCRIPT)
    const plain = await app.inject({ ...asked, headers: { 'accept-encoding': 'gzip' } })
    expect([plain.headers['content-encoding'], plain.body]).toEqual([undefined, SCRIPT])
  })
})
