import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** A proxy between a server and its database that simulates network faults. */
export interface DatabaseProxy extends AsyncDisposable {
  /** The URL of the same database through this proxy. */
  readonly url: string
  /** Closes all connections and refuses new ones, or accepts them again. */
  refuse(isRefusing: boolean): void
  /** Closes the current connections. */
  cut(): void
  /** Delays all data by this time, from now on. */
  delay(milliseconds: number): void
}

export async function startProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let isRefusing = false
  let delayMs = 0

  const server = createServer((near) => {
    if (isRefusing) return void near.destroy()
    const far = connect(Number(target.port), target.hostname)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.on('error', () => {})
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
      void pass(from, to)
    }
  })

  async function pass(from: Socket, to: Socket): Promise<void> {
    try {
      for await (const chunk of from) {
        if (delayMs > 0) await sleep(delayMs)
        if (!to.destroyed) to.write(chunk)
      }
      to.end()
    } catch {
      to.destroy()
    }
  }

  function cut(): void {
    for (const socket of sockets) socket.destroy()
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const url = new URL(databaseUrl)
  if (address !== null && typeof address !== 'string') url.port = String(address.port)
  return {
    url: url.href,
    cut,
    refuse(refuses) {
      isRefusing = refuses
      if (refuses) cut()
    },
    delay(milliseconds) {
      delayMs = milliseconds
    },
    async [Symbol.asyncDispose]() {
      cut()
      server.close()
      await once(server, 'close')
    },
  }
}
