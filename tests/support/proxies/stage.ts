import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { connect } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../../packages/server/test-support/free-port.ts'
import { temporaryFolder } from '../../../packages/server/test-support/temporary-folder.ts'
import { ROOT, shellEnvironment, startProcess } from '../start-process.ts'
import { type Keys, printedKeys, settingsFor } from '../start-server.ts'
import type { PROXIES } from './proxies.ts'

const RETRY_MS = 20

interface Call {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** The address of the client, as the proxy sees it. */
  readonly from?: string
}

/** A proxy, without the servers behind it. */
export interface Front extends AsyncDisposable {
  readonly httpPort: number
  readonly httpsPort: number
  readonly publicUrl: string
  /** The file with the certificate, which clients have to trust. */
  readonly certificate: string
  open(path: string, call?: Call): Promise<IncomingMessage>
  call(
    path: string,
    call?: Call,
  ): Promise<{ status: number; headers: IncomingMessage['headers']; body: Buffer }>
}

export interface ProxyStage extends Front {
  readonly keys: Keys
  /** The token of the setup link. */
  readonly linkToken: string
  /** The URL of the server itself, without the proxy. */
  readonly serverUrl: string
}

/** A server behind a proxy with a test certificate, set up as in docs/reverse-proxy.md. */
export async function startBehind(
  proxy: (typeof PROXIES)[number],
  settings: Readonly<Record<string, string>>,
): Promise<ProxyStage> {
  const folder = temporaryFolder()
  const serverPort = await freePort()
  const front = await startFront(proxy, [serverPort])
  const server = startProcess({
    command: process.execPath,
    args: [join(ROOT, 'packages/server/bin/bugle.js'), 'serve'],
    environment: {
      ...shellEnvironment(),
      ...settingsFor(join(folder.path, 'bugle.db')),
      BUGLE_PORT: String(serverPort),
      BUGLE_PUBLIC_URL: front.publicUrl,
      BUGLE_TRUST_PROXY: '127.0.0.1',
      ...settings,
    },
  })
  const keys = await printedKeys(server)
  const [, linkToken = ''] = await server.waitFor(/#link=(\S+)/)
  return {
    ...front,
    keys,
    linkToken,
    serverUrl: `http://127.0.0.1:${serverPort}`,
    async [Symbol.asyncDispose]() {
      await front[Symbol.asyncDispose]()
      await server[Symbol.asyncDispose]()
      folder[Symbol.dispose]()
    },
  }
}

/** A proxy with a test certificate in front of servers on these ports, which may start later. */
export async function startFront(
  proxy: (typeof PROXIES)[number],
  serverPorts: readonly number[],
): Promise<Front> {
  const folder = temporaryFolder()
  const [httpPort, httpsPort] = [await freePort(), await freePort()]
  const { certificate, key } = makeCertificate(folder.path)
  const publicUrl = `https://127.0.0.1:${httpsPort}`
  const place = { folder: folder.path, httpPort, httpsPort, serverPorts, certificate, key }
  const [command = '', ...args] = proxy.prepare(place)
  const environment = { ...shellEnvironment(), HOME: folder.path, XDG_DATA_HOME: folder.path }
  // Its workers must not outlive it.
  const front = startProcess({ command, args, environment, leadsGroup: true })
  await Promise.race([listening(httpsPort), failed(front)])
  const ca = readFileSync(certificate)

  function open(path: string, { from, body, ...options }: Call = {}): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const localAddress = from === undefined ? {} : { localAddress: from }
      httpsRequest(publicUrl + path, { ...options, ...localAddress, ca, agent: false }, resolve)
        .on('error', reject)
        .end(body)
    })
  }
  return {
    httpPort,
    httpsPort,
    publicUrl,
    certificate,
    open,
    async call(path, call) {
      const answer = await open(path, call)
      return { status: answer.statusCode ?? 0, headers: answer.headers, body: await buffer(answer) }
    },
    async [Symbol.asyncDispose]() {
      await front[Symbol.asyncDispose]()
      folder[Symbol.dispose]()
    },
  }
}

function makeCertificate(folder: string) {
  const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')]
  const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  const about = ['-days', '2', '-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1']
  const { status, stderr } = spawnSync('openssl', [...request, ...about, '-out', certificate, '-keyout', key])
  if (status !== 0) throw new Error(`no certificate could be made. ${stderr}`)
  return { certificate, key }
}

async function listening(port: number): Promise<void> {
  while (!(await takesConnections(port))) await sleep(RETRY_MS)
}

function takesConnections(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}

async function failed(front: ReturnType<typeof startProcess>): Promise<never> {
  await front.exit
  throw new Error(`the proxy has ended. ${front.stderr}`)
}
