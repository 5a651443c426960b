import { connect } from 'node:net'
import { Client } from 'undici'
import type { FuzzAnswer } from './judge.ts'
import type { FuzzRequest, Mangle } from './requests.ts'

/** A request with all values resolved. */
export interface Outgoing {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/** Sends requests one after the other. */
export interface Sender extends AsyncDisposable {
  send(request: Outgoing): Promise<FuzzAnswer>
  /** Sends it with some bytes changed, on a separate connection; there may be no response, or several. */
  sendMangled(request: Outgoing, mangling: readonly Mangle[]): Promise<readonly FuzzAnswer[]>
}

const PATIENCE_MS = 30_000

export function createSender(url: string): Sender {
  const { hostname, port } = new URL(url)
  const client = new Client(url, { headersTimeout: PATIENCE_MS, bodyTimeout: PATIENCE_MS })
  return {
    async send({ method, path, headers, body }) {
      const response = await client.request({ method: method as 'GET', path, headers: { ...headers }, body })
      const shown = Object.fromEntries(
        Object.entries(response.headers).map(([name, held]) => [name, String(held)]),
      )
      const isStream = shown['content-type']?.startsWith('text/event-stream') === true
      if (isStream) response.body.on('error', () => {}).destroy()
      return { status: response.statusCode, headers: shown, text: isStream ? '' : await response.body.text() }
    },
    async sendMangled(request, mangling) {
      const received = await exchange(mangle(toBytes(request), mangling), hostname, Number(port))
      return answersIn(received)
    },
    [Symbol.asyncDispose]: () => client.destroy(),
  }
}

function toBytes({ method, path, headers, body }: Outgoing): Buffer {
  const content = Buffer.from(body ?? '')
  const lines = Object.entries({ host: 'localhost', connection: 'close', ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  const length = body === null ? '' : `content-length: ${content.length}\r\n`
  return Buffer.concat([
    Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}${length}\r\n`, 'latin1'),
    content,
  ])
}

function mangle(bytes: Buffer, mangling: FuzzRequest['mangling']): Buffer {
  let mangled = bytes
  for (const { place, byte, isInserted } of mangling) {
    const at = Math.floor((place * mangled.length) / 1_000)
    const rest = mangled.subarray(isInserted ? at : at + 1)
    mangled = Buffer.concat([mangled.subarray(0, at), Buffer.from([byte]), rest])
  }
  return mangled
}

function exchange(bytes: Buffer, host: string, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connect(port, host, () => socket.end(bytes))
    socket.setTimeout(PATIENCE_MS, () => socket.destroy(new Error('the server left a connection hanging')))
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      // A stream never ends; its start is enough.
      if (chunk.includes('text/event-stream')) socket.destroy()
    })
    socket.on('error', (error: NodeJS.ErrnoException) =>
      error.code === undefined ? reject(error) : undefined,
    )
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('latin1')))
  })
}

/** The responses in the data of a connection, one after the other. */
function answersIn(received: string): readonly FuzzAnswer[] {
  const end = received.indexOf('\r\n\r\n')
  if (end === -1) return []
  const [first = '', ...lines] = received.slice(0, end).split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => [line.split(':', 1)[0]?.toLowerCase() ?? '', line.replace(/^[^:]*: ?/, '')]),
  )
  const rest = received.slice(end + 4)
  // A response to HEAD has a length, but no body.
  const length = rest.startsWith('HTTP/1.1 ') ? 0 : Number(headers['content-length'] ?? 0)
  const status = Number(first.split(' ')[1])
  const text = Buffer.from(rest.slice(0, length), 'latin1').toString()
  const others = answersIn(rest.slice(length))
  return status === 100 ? others : [{ status, headers, text }, ...others]
}
