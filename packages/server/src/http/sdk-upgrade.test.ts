import { hash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type SdkManifest, writeEarlierSdk } from '../../test-support/earlier-sdk.ts'
import { startApp } from '../../test-support/start-app.ts'
import { type TemporaryDatabase, temporaryDatabase } from '../../test-support/temporary-database.ts'
import { temporaryFolder } from '../../test-support/temporary-folder.ts'

let database: TemporaryDatabase
let folder: ReturnType<typeof temporaryFolder>
let earlier: SdkManifest
beforeEach(async () => {
  database = await temporaryDatabase()
  folder = temporaryFolder()
  earlier = writeEarlierSdk(folder.path)
})
afterEach(async () => {
  await database[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

async function digestAt(url: string): Promise<string> {
  const response = await fetch(url)
  expect(response.status).toBe(200)
  return `sha384-${hash('sha384', Buffer.from(await response.arrayBuffer()), 'base64')}`
}

async function manifestOf(url: string): Promise<SdkManifest> {
  return (await (await fetch(`${url}/sdk/manifest.json`)).json()) as SdkManifest
}

describe('the SDK after an upgrade', () => {
  it('has every file of the earlier release, unchanged, at its own address', async () => {
    const old = await startApp({ databaseUrl: database.url, dashboardFolder: folder.path })
    expect(await manifestOf(old.url)).toEqual(earlier)
    await old[Symbol.asyncDispose]()

    await using app = await startApp({ databaseUrl: database.url })
    const now = await manifestOf(app.url)
    expect(now.build).not.toBe(earlier.build)
    for (const { build, integrity } of [earlier, now]) {
      expect(Object.keys(integrity)).toEqual(
        expect.arrayContaining(['bugle.js', 'bugle-widget.js', 'bugle.mjs', 'bugle-sdk.tgz']),
      )
      for (const [name, digest] of Object.entries(integrity))
        expect([name, await digestAt(`${app.url}/sdk/${build}/${name}`)]).toEqual([name, digest])
    }
    // Without a version, it is the SDK of this release.
    expect(await digestAt(`${app.url}/sdk/bugle.js`)).toBe(now.integrity['bugle.js'])
  })

  it('is served by a node of either release while both run', async () => {
    await using old = await startApp({ databaseUrl: database.url, dashboardFolder: folder.path })
    await using upgraded = await startApp({ databaseUrl: database.url })
    const now = await manifestOf(upgraded.url)
    for (const { build, integrity } of [earlier, now])
      for (const { url } of [old, upgraded])
        await expect
          .poll(() => digestAt(`${url}/sdk/${build}/bugle-widget.js`).catch(() => 'not yet'))
          .toBe(integrity['bugle-widget.js'])
  })
})
