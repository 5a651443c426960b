import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** A raw connection that records everything it receives. */
export interface RawSocket extends Disposable {
  readonly socket: Socket
  /** The data received so far, one character per byte. */
  readonly received: string
  write(bytes: string | Uint8Array): void
  /** Settles when the received data matches; fails if the connection ends before that. */
  waitFor(pattern: RegExp): Promise<void>
  /** Settles when the connection is closed by either side, with all received data. */
  readonly closed: Promise<string>
}

/** `localAddress` is the address that the connection comes from: any of 127.0.0.0/8 on Linux. */
export async function openSocket(url: string, localAddress?: string): Promise<RawSocket> {
  const { hostname, port } = new URL(url)
  const socket = connect({ port: Number(port), host: hostname, ...(localAddress && { localAddress }) })
  let received = ''
  socket.on('data', (chunk) => (received += chunk.toString('latin1')))
  // A reset is one way to be refused, and is reported by `closed`.
  socket.on('error', () => {})
  // Not `once` of node:events, which fails with any error.
  const closed = new Promise<string>((resolve) => socket.on('close', () => resolve(received)))
  await once(socket, 'connect')
  return {
    socket,
    closed,
    get received() {
      return received
    },
    write: (bytes) => void socket.write(bytes),
    async waitFor(pattern) {
      while (!pattern.test(received)) {
        if (socket.closed) throw new Error(`the connection ended without ${pattern}: ${received}`)
        await Promise.race([new Promise((resolve) => socket.once('data', resolve)), closed])
      }
    },
    [Symbol.dispose]: () => void socket.destroy(),
  }
}

/** Sends bytes on a new connection, and returns everything received until the server closed it. */
export async function exchange(url: string, bytes: string | Uint8Array): Promise<string> {
  using raw = await openSocket(url)
  raw.write(bytes)
  return await raw.closed
}

interface RequestOptions {
  readonly method?: string
  readonly path?: string
  readonly key?: string
  /** Lines to send, without line endings. */
  readonly headers?: readonly string[]
  readonly body?: string
}

/** A raw request with `Connection: close`. */
export function requestBytes({
  method = 'GET',
  path = '/',
  key,
  headers = [],
  body,
}: RequestOptions): string {
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'Host: localhost',
    'Connection: close',
    ...(key === undefined ? [] : [`Authorization: Bearer ${key}`]),
    ...(body === undefined
      ? []
      : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`]),
    ...headers,
  ]
  return `${lines.join('\r\n')}\r\n\r\n${body ?? ''}`
}

/** The result of an exchange: the status and, if it is a problem, its code; `closed` if there was no response. */
export function outcomeOf(received: string): string {
  const answers = received.split(/(?=HTTP\/1\.1 \d{3} )/).map((answer) => {
    const status = /^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1] ?? ''
    const code = /"code":"([a-z-]+)","requestId"/.exec(answer)?.[1]
    return code === undefined ? status : `${status} ${code}`
  })
  return received === '' ? 'closed' : answers.join(', ')
}
