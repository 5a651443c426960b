import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import { type FastifyInstance, fastify } from 'fastify'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../../test-support/temporary-folder.ts'
import { createSdkBuilds } from '../../../domain/projects/sdk-builds.ts'
import { openStorage } from '../../../storage/open-storage.ts'
import type { Storage } from '../../../storage/storage.ts'
import { openOwnSdk } from '../../pages/sdk-files.ts'
import { bindSdk } from './sdk.ts'

const SCRIPT = 'console.log("sdk")'.repeat(50)
const OWN = '0.2.0-00000000000000bb'
const EARLIER = '0.1.0-00000000000000aa'

let folder: ReturnType<typeof temporaryFolder>
let storage: Storage
let app: FastifyInstance
let now: number
beforeEach(async () => {
  folder = temporaryFolder()
  storage = await openStorage('sqlite::memory:', { onCrash: () => {} })
  now = 1_000_000
  app = fastify()
  bindSdk(app, {
    ownSdk: openOwnSdk(folder.path),
    sdkBuilds: createSdkBuilds({ storage, clock: () => now }),
  })
})
afterEach(async () => {
  await app.close()
  await storage.close()
  folder[Symbol.dispose]()
})

function build(script = SCRIPT): void {
  mkdirSync(folder.path, { recursive: true })
  writeFileSync(join(folder.path, 'bugle.js'), script)
  writeFileSync(join(folder.path, 'bugle.js.br'), brotliCompressSync(script))
  writeFileSync(join(folder.path, 'manifest.json'), JSON.stringify({ build: OWN }))
}

describe('the SDK', () => {
  it('may be loaded by pages of every origin, and is revalidated after an hour', async () => {
    build()
    const { statusCode, body, headers } = await app.inject('/sdk/bugle.js')
    expect([statusCode, body]).toEqual([200, SCRIPT])
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=3600',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    })
    const again = await app.inject({
      url: '/sdk/bugle.js',
      headers: { 'if-none-match': String(headers.etag) },
    })
    expect(again.statusCode).toBe(304)
  })

  it('is compressed', async () => {
    build()
    const { headers, rawPayload } = await app.inject({
      url: '/sdk/bugle.js',
      headers: { 'accept-encoding': 'br' },
    })
    expect(headers['content-encoding']).toBe('br')
    expect(brotliDecompressSync(rawPayload).toString()).toBe(SCRIPT)
  })

  it('is available as soon as it is built', async () => {
    rmSync(folder.path, { recursive: true })
    expect((await app.inject('/sdk/bugle.js')).statusCode).toBe(404)
    build()
    expect((await app.inject('/sdk/bugle.js')).statusCode).toBe(200)
  })

  it.each([
    ...['/sdk', '/sdk/', '/sdk/bugle.js.br', '/sdk/other.js', '/sdk/..%2findex.html'],
    ...[`/sdk/${OWN}`, `/sdk/${OWN}/`, `/sdk/${OWN}/bugle.js.br`, `/sdk/${OWN}/other.js`],
    ...[`/sdk/${EARLIER}/bugle.js`, '/sdk/%2e%2e/bugle.js', '/sdk/0.2.0/bugle.js', '/sdk/%00/bugle.js'],
  ])('is not at %s', async (url) => {
    build()
    expect((await app.inject({ url })).statusCode).toBe(404)
  })
})

describe('a build of the SDK', () => {
  it('may be cached forever, and loaded by pages of every origin', async () => {
    build()
    const { body, headers } = await app.inject(`/sdk/${OWN}/bugle.js`)
    expect(body).toBe(SCRIPT)
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    })
  })

  it('of an earlier release comes from the database, compressed as it was built', async () => {
    build('console.log("newer")')
    const files = new Map([
      ['bugle.js', Buffer.from(SCRIPT)],
      ['bugle.js.br', brotliCompressSync(SCRIPT)],
    ])
    await storage.sdkBuilds.keep({ id: EARLIER, files }, now)
    const url = `/sdk/${EARLIER}/bugle.js`
    const { rawPayload, headers } = await app.inject({ url, headers: { 'accept-encoding': 'br' } })
    expect(headers['content-encoding']).toBe('br')
    expect(brotliDecompressSync(rawPayload).toString()).toBe(SCRIPT)
    const again = await app.inject({ url, headers: { 'if-none-match': String(headers.etag) } })
    expect(again.statusCode).toBe(304)
    expect((await app.inject('/sdk/bugle.js')).body).toBe('console.log("newer")')
  })

  it('that another node has stored is found within a second', async () => {
    const url = `/sdk/${EARLIER}/bugle.js`
    expect((await app.inject(url)).statusCode).toBe(404)
    await storage.sdkBuilds.keep({ id: EARLIER, files: new Map([['bugle.js', Buffer.from(SCRIPT)]]) }, now)
    expect((await app.inject(url)).statusCode).toBe(404)
    now += 1_000
    expect((await app.inject(url)).body).toBe(SCRIPT)
  })

  it('is found among more builds than are cached', async () => {
    const ids = Array.from({ length: 9 }, (_, index) => `0.1.${index}-00000000000000aa`)
    for (const id of ids)
      await storage.sdkBuilds.keep({ id, files: new Map([['bugle.js', Buffer.from(id)]]) }, now)
    for (const id of [...ids, ...ids]) expect((await app.inject(`/sdk/${id}/bugle.js`)).body).toBe(id)
  })
})
