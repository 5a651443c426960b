import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { soon } from '../packages/server/test-support/soon.ts'
import { type Cluster, startCluster } from './support/nodes/cluster.ts'
import { readRows } from './support/nodes/stored-rows.ts'
import { PROXIES, whyNot } from './support/proxies/proxies.ts'
import { type Front, startFront } from './support/proxies/stage.ts'
import { type BuiltPackage, buildPackage } from './support/sdk/built-package.ts'

const NODES = 3
const CLIENTS = 4
/** A shutdown ends longer requests. */
const LONG_MS = 5_000
/** How much of an upload arrives before it becomes slow. */
const QUICK_BYTES = 2 ** 20
const FILE_BYTES = 8 * 2 ** 20
/** Slow, but more than the server requires. */
const SLOW_STEP = { bytes: 16 * 1_024, everyMs: 500 } as const

const nginx = PROXIES.find(({ name }) => name === 'nginx')
const reason = nginx === undefined ? 'there is no example' : whyNot(nginx)

describe(`${NODES} nodes behind the example for nginx`, { timeout: 600_000 }, () => {
  if (nginx === undefined || reason !== undefined) {
    process.stdout.write(`deploy/: no nodes are restarted behind nginx, because ${reason}.\n`)
    test.skip('restart in turn', () => {})
    return
  }

  let cluster: Cluster
  let front: Front
  let publicKey: string
  let secretKey: string
  let built: BuiltPackage
  beforeAll(async () => {
    built = await buildPackage()
    // The default: a server on PostgreSQL drains for five seconds.
    cluster = await startCluster(NODES, { BUGLE_TRUST_PROXY: '127.0.0.1' })
    front = await startFront(
      nginx,
      cluster.nodes.map(({ url }) => Number(new URL(url).port)),
    )
    ;[publicKey, secretKey] = await soon(() => {
      // One of them has created the demo project.
      const printed = cluster.nodes.map((node) => node.printed).join('')
      const keys = /(bgl_pub_\w+)\s[\s\S]*?(bgl_sec_\w+)\s/.exec(printed) ?? []
      expect(keys).toHaveLength(3)
      return [keys[1] ?? '', keys[2] ?? ''] as const
    })
  }, 600_000)
  afterAll(async () => {
    await front?.[Symbol.asyncDispose]()
    await cluster?.[Symbol.asyncDispose]()
    built?.[Symbol.dispose]()
  })

  test('restart in turn under load: no short request fails, and a cut upload is repeated', async () => {
    await using relay = await startSlowRelay(front.httpsPort)
    const sending = sendFile(relay.port)
    await Promise.race([relay.becameSlow, sending.then(failUnlessSlow)])
    const load = runLoad()
    for (const node of cluster.nodes) {
      expect(await node.end('SIGTERM')).toEqual({ code: 0, signal: null })
      await node.restart()
      await soon(async () => expect((await fetch(`${node.url}/readyz`)).status).toBe(200))
    }
    const { acknowledged, failures } = await load.finish()
    const { code, stdout, stderr } = await sending
    process.stdout.write(`${acknowledged.length} reports acknowledged, ${failures.length} failed, ${stdout}`)
    expect(failures.filter(({ milliseconds }) => milliseconds < LONG_MS)).toEqual([])
    expect(acknowledged.length).toBeGreaterThan(CLIENTS * NODES)
    const { submissions } = await readRows(cluster.postgres.url, 'demo')
    expect(acknowledged.filter((id) => !submissions.has(id))).toEqual([])

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(relay.slowConnections).toBe(1)
    const { body } = await front.call('/v1/issues?q=cut', { headers: authorization() })
    const [issue, ...others] = JSON.parse(body.toString()).data
    expect(others).toEqual([])
    const files = await front.call(`/v1/issues/${issue.id}/attachments`, { headers: authorization() })
    expect(JSON.parse(files.body.toString()).data).toMatchObject([{ state: 'received', size: FILE_BYTES }])
  })

  const authorization = () => ({ authorization: `Bearer ${secretKey}` })

  /** Submits and lists reports through the proxy, each client one after the other. */
  function runLoad() {
    const acknowledged: string[] = []
    const failures: { status: number; milliseconds: number; path: string }[] = []
    let isOver = false

    async function call(path: string, body?: object): Promise<boolean> {
      const began = performance.now()
      const request = body && {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { ...authorization(), 'content-type': 'application/json' },
      }
      const { status } = await front
        .call(path, request ?? { headers: authorization() })
        .catch(() => ({ status: 0 }))
      const isFine = status === 200 || status === 201
      if (!isFine) failures.push({ status, milliseconds: performance.now() - began, path })
      return isFine
    }

    async function work(): Promise<void> {
      while (!isOver) {
        const submissionId = randomUUID()
        if (await call('/v1/issues', { title: 'During a restart', submissionId }))
          acknowledged.push(submissionId)
        await call('/v1/issues?pageSize=5')
        await sleep(10)
      }
    }

    const working = Promise.all(Array.from({ length: CLIENTS }, work))
    return {
      async finish() {
        isOver = true
        await working
        return { acknowledged, failures }
      },
    }
  }

  /** An app that sends a report with a file through the port, and waits until both have arrived. */
  async function sendFile(port: number) {
    const script = join(built.path, 'send-file.mjs')
    const options = {
      endpoint: `https://127.0.0.1:${port}`,
      publicKey,
      queueDirectory: join(built.path, 'queue'),
    }
    writeFileSync(
      script,
      `import { randomBytes } from 'node:crypto'
import { flush, init, report } from '@bugle/sdk'
import { enableFiles } from '@bugle/sdk/files'
init(${JSON.stringify(options)})
enableFiles()
const { status } = await report({
  title: 'The upload is cut',
  attachments: [{ name: 'video.bin', content: randomBytes(${FILE_BYTES}) }],
})
// Between two attempts there is nothing to wait for.
while (!(await flush(60_000))) await new Promise((resolve) => setTimeout(resolve, 200))
console.log('report ' + status + ', all files sent')
process.exit()
`,
    )
    const environment = {
      PATH: process.env['PATH'],
      NODE_EXTRA_CA_CERTS: front.certificate,
      NODE_ENV: 'production',
    }
    const child = spawn(process.execPath, [script], { env: environment, stdio: ['ignore', 'pipe', 'pipe'] })
    const [stdout, stderr, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close'),
    ])
    return { code, stdout, stderr }
  }
})

function failUnlessSlow({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }): never {
  throw new Error(`the app ended before its upload became slow. ${stdout}${stderr}`)
}

interface SlowRelay extends AsyncDisposable {
  readonly port: number
  /** Resolves when an upload is under way that cannot end before its server stops. */
  readonly becameSlow: Promise<void>
  readonly slowConnections: number
}

/** Passes on connections. The first large upload becomes so slow that it is cut. */
async function startSlowRelay(target: number): Promise<SlowRelay> {
  const { promise: becameSlow, resolve } = Promise.withResolvers<void>()
  let slowConnections = 0
  const server: Server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1')
    let bytes = 0
    let isSlow = false
    client.on('error', () => upstream.destroy()).on('close', () => upstream.destroy())
    upstream.on('error', () => client.destroy()).on('close', () => client.destroy())
    upstream.pipe(client)
    client.on('data', async (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > QUICK_BYTES && slowConnections === 0) {
        isSlow = true
        slowConnections++
        resolve()
      }
      client.pause()
      const step = isSlow ? SLOW_STEP.bytes : chunk.length
      for (let start = 0; start < chunk.length && !upstream.destroyed; start += step) {
        upstream.write(chunk.subarray(start, start + step))
        if (isSlow) await sleep(SLOW_STEP.everyMs)
      }
      client.resume()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the relay has no port')
  return {
    port: address.port,
    becameSlow,
    get slowConnections() {
      return slowConnections
    },
    async [Symbol.asyncDispose]() {
      server.close()
    },
  }
}
