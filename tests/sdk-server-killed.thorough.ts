import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../packages/server/test-support/temporary-folder.ts'
import { sharedChromium, WAIT_MS } from './support/browser/chromium.ts'
import { buildPackage } from './support/sdk/built-package.ts'
import { startSite } from './support/sdk/site.ts'
import { startFirstServer, startServer } from './support/start-server.ts'

/** So much of a file reaches the server before it is killed. */
const PART_BYTES = 100_000
const FILE_BYTES = 2_000_000

/** Stands between pages and a server, which may change. Holds the first upload until the server is gone. */
async function startProxy(firstTarget: string) {
  let target = new URL(firstTarget)
  const sockets = new Set<Socket>()
  let holds = true
  const held = Promise.withResolvers<void>()
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname)
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => other.destroy())
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
    upstream.pipe(client)
    let uploaded = -1
    client.on('data', (chunk: Buffer) => {
      if (chunk.includes('PUT /v1/submissions/')) uploaded = 0
      if (uploaded >= 0) uploaded += chunk.length
      upstream.write(chunk)
      if (!holds || uploaded < PART_BYTES) return
      client.pause()
      held.resolve()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  return {
    url: `http://127.0.0.1:${port}`,
    /** Resolves in the middle of an upload. */
    held: held.promise,
    moveTo(url: string) {
      target = new URL(url)
      holds = false
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

test('a server that is killed during an upload has the report and its files once each afterwards', async () => {
  using folder = temporaryFolder()
  const database = join(folder.path, 'bugle.db')
  const { server, keys } = await startFirstServer(database)
  await using killed = server
  await using proxy = await startProxy(killed.url)
  using built = await buildPackage()
  await using site = await startSite(built.sdk)
  await using profile = await (await sharedChromium()).newContext()
  profile.setDefaultTimeout(WAIT_MS)
  const address = site.page(`<!doctype html><title>App</title><script type="module">
import { init, report, flush } from '/sdk/esm/browser.js'
import { enableFiles } from '/sdk/esm/files/browser.js'
init(${JSON.stringify({ endpoint: proxy.url, publicKey: keys.publicKey })})
enableFiles()
window.app = { report, flush }
</script>`)
  const page = await profile.newPage()
  await page.goto(address)
  const result = await page.evaluate(
    (size) =>
      (window as unknown as { app: { report(input: object): Promise<object> } }).app.report({
        title: 'Killed',
        attachments: [
          { name: 'a.bin', content: new Uint8Array(size).fill(1) },
          { name: 'b.bin', content: new Uint8Array(size).fill(2) },
        ],
      }),
    FILE_BYTES,
  )
  expect(result).toMatchObject({ status: 'sent' })
  await proxy.held
  await killed.end('SIGKILL')
  await page.close()

  await using restarted = await startServer(database)
  const call = async (path: string) => {
    const response = await fetch(restarted.url + path, {
      headers: { authorization: `Bearer ${keys.secretKey}` },
    })
    return ((await response.json()) as { data: readonly Record<string, unknown>[] }).data
  }
  const filesOf = async () => {
    const [issue] = await call('/v1/issues')
    const files = await call(`/v1/issues/${issue?.['id']}/attachments`)
    return files
      .map(({ name, state, size }) => ({ name, state, size }))
      .toSorted((one) => (one.name === 'a.bin' ? -1 : 1))
  }
  // Nothing that arrived in part is shown.
  expect(await filesOf()).toMatchObject([{ state: 'pending' }, { state: 'pending' }])

  proxy.moveTo(restarted.url)
  const again = await profile.newPage()
  await again.goto(address)
  await expect.poll(filesOf).toEqual([
    { name: 'a.bin', state: 'received', size: FILE_BYTES },
    { name: 'b.bin', state: 'received', size: FILE_BYTES },
  ])
  expect(await call('/v1/issues')).toMatchObject([{ title: 'Killed', reportCount: 1 }])
})
