import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** A connection on which any bytes can be sent, and that keeps all it is sent. */
export interface RawSocket extends Disposable {
  readonly socket: Socket
  /** What has come until now, a byte to a character. */
  readonly received: string
  write(bytes: string | Uint8Array): void
  /** Settles when what has come matches; fails if the connection ends without. */
  waitFor(pattern: RegExp): Promise<void>
  /** Settles when the connection is gone, whoever closed it, with all that came. */
  readonly closed: Promise<string>
}

/** `localAddress` is the address that the connection comes from: any of 127.0.0.0/8 on Linux. */
export async function openSocket(url: string, localAddress?: string): Promise<RawSocket> {
  const { hostname, port } = new URL(url)
  const socket = connect({ port: Number(port), host: hostname, ...(localAddress && { localAddress }) })
  let received = ''
  socket.on('data', (chunk) => (received += chunk.toString('latin1')))
  // Being cut off is one of the ways to be refused; `closed` tells of it.
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

/** Sends bytes on a connection of their own, and gives all that came until the server closed it. */
export async function exchange(url: string, bytes: string | Uint8Array): Promise<string> {
  using raw = await openSocket(url)
  raw.write(bytes)
  return await raw.closed
}

interface RequestWish {
  readonly method?: string
  readonly path?: string
  readonly key?: string
  /** Lines as they are sent, without their ends. */
  readonly headers?: readonly string[]
  readonly body?: string
}

/** A request as bytes, after which the connection is to be closed. */
export function requestBytes({ method = 'GET', path = '/', key, headers = [], body }: RequestWish): string {
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

/** What an exchange came to: the status and, if it is a problem, its code; `closed` if nothing was said. */
export function outcomeOf(received: string): string {
  const answers = received.split(/(?=HTTP\/1\.1 \d{3} )/).map((answer) => {
    const status = /^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1] ?? ''
    const code = /"code":"([a-z-]+)","requestId"/.exec(answer)?.[1]
    return code === undefined ? status : `${status} ${code}`
  })
  return received === '' ? 'closed' : answers.join(', ')
}
