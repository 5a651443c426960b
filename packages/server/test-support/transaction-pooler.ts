import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** The messages of PostgreSQL at the start of a session. */
const AUTHENTICATED = message('R', Buffer.alloc(4))
const IDLE = 'I'.charCodeAt(0)

export interface TransactionPooler extends AsyncDisposable {
  /** The URL of the same database through this pooler. */
  readonly url: string
}

/**
 * A proxy for PostgreSQL that works like PgBouncer with `pool_mode = transaction` and `pool_size = 1`: all
 * clients share one connection, which a client holds from the first message of a transaction to its end.
 */
export async function startTransactionPooler(databaseUrl: string): Promise<TransactionPooler> {
  const target = new URL(databaseUrl)
  const far = connect(Number(target.port), target.hostname)
  far.write(startup({ user: target.username, database: target.pathname.slice(1) }))
  await new Promise<void>((resolve) => {
    onMessages(far, (type) => {
      if (type === 'Z') resolve()
    })
  })
  far.removeAllListeners('data')

  const waiting: { readonly near: Socket; readonly given: Buffer }[] = []
  const sockets = new Set<Socket>([far])
  let owner: Socket | undefined
  let unanswered = 0

  function serveNext(): void {
    while (waiting[0] !== undefined && (owner ?? waiting[0].near) === waiting[0].near) {
      const { near, given } = waiting.shift() ?? waiting[0]
      owner = near
      if (['Q', 'S'].includes(String.fromCharCode(given[0] ?? 0))) unanswered++
      far.write(given)
    }
  }

  onMessages(far, (type, whole) => {
    owner?.write(whole)
    if (type !== 'Z') return
    unanswered--
    if (unanswered === 0 && whole.at(-1) === IDLE) owner = undefined
    serveNext()
  })

  const server = createServer((near) => {
    sockets.add(near)
    near.on('error', () => {})
    near.once('data', () => {
      // The process id and the secret are invented.
      const session = [AUTHENTICATED, message('K', randomBytes(8)), message('Z', Buffer.from([IDLE]))]
      near.write(Buffer.concat(session))
      onMessages(near, (type, given) => {
        if (type === 'X') return void near.end()
        // Data that waits for the connection must not block the client that holds it.
        const place = owner === near ? waiting.findIndex((one) => one.near !== near) : -1
        waiting.splice(place < 0 ? waiting.length : place, 0, { near, given })
        serveNext()
      })
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address !== null && typeof address !== 'string') target.port = String(address.port)
  return {
    url: target.href,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Splits the data into messages: a letter, the length, the content. */
function onMessages(socket: Socket, listener: (type: string, whole: Buffer) => void): void {
  let rest = Buffer.alloc(0)
  socket.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk])
    while (rest.length >= 5 && rest.length > rest.readInt32BE(1)) {
      const end = rest.readInt32BE(1) + 1
      listener(String.fromCharCode(rest[0] ?? 0), rest.subarray(0, end))
      rest = rest.subarray(end)
    }
  })
}

function message(type: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeInt32BE(content.length + 4)
  return Buffer.concat([Buffer.from(type), length, content])
}

function startup(parameters: Readonly<Record<string, string>>): Buffer {
  const version = Buffer.from([0, 3, 0, 0])
  const pairs = Object.entries(parameters).flat()
  const content = Buffer.concat([version, Buffer.from(`${pairs.join('\0')}\0\0`)])
  return message('', content)
}
