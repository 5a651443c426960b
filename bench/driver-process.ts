import { connect, type Socket } from 'node:net'
import { type DriverMessage, type ExpectedStatus, type Job, type Load, NUMBER_MARK } from './driver.ts'
import { createResponseReader, statusOf } from './read-responses.ts'

/**
 * Sends requests over raw sockets, one at a time on each connection. A client library would cost more than the server
 * that is measured.
 */

// Numbers never repeat, not even in the next job or another process.
let lastNumber = (Date.now() % 10 ** 9) * 1_000

process.on('message', (job: Job) => {
  run(job)
    .catch((error: Error): DriverMessage => ({ fault: error.stack ?? error.message }))
    .then((message) => process.send?.(message))
})

async function run({ port, connections, durationMs, requests, status }: Job): Promise<Load> {
  const take = inTurn(requests.map(numbered))
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(port)))
  const latencies: number[] = []
  const began = performance.now()
  const until = began + durationMs
  try {
    await Promise.all(sockets.map((socket) => exchange({ socket, take, until, status, latencies })))
  } finally {
    for (const socket of sockets) socket.destroy()
  }
  const seconds = (performance.now() - began) / 1_000
  latencies.sort((a, b) => a - b)
  return {
    requests: latencies.length,
    seconds,
    p50Ms: quantile(latencies, 0.5),
    p99Ms: quantile(latencies, 0.99),
  }
}

interface Exchange {
  readonly socket: Socket
  readonly take: () => Buffer
  readonly until: number
  readonly status: ExpectedStatus
  readonly latencies: number[]
}

/** Sends requests one after the other until the time is up. */
function exchange({ socket, take, until, status, latencies }: Exchange): Promise<void> {
  return new Promise((resolve, reject) => {
    let sentAt = 0
    function send(): void {
      sentAt = performance.now()
      if (sentAt >= until) resolve()
      else socket.write(take())
    }
    const read = createResponseReader((head, body) => {
      const received = statusOf(head)
      const isExpected = status === '2xx' ? received >= 200 && received < 300 : String(received) === status
      if (!isExpected)
        return reject(new Error(`${status} was expected, the answer was ${received}: ${body()}`))
      latencies.push(performance.now() - sentAt)
      send()
    })
    socket.on('data', read)
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('the server closed a connection')))
    send()
  })
}

/** A request with a new number each time. Its bytes can be reused, because there are more requests than connections. */
function numbered(text: string): () => Buffer {
  const bytes = Buffer.from(text)
  const places = [...text.matchAll(new RegExp(NUMBER_MARK, 'g'))].map(({ index }) =>
    Buffer.byteLength(text.slice(0, index)),
  )
  return () => {
    for (const place of places)
      bytes.write(String(++lastNumber).padStart(NUMBER_MARK.length, '0'), place, 'latin1')
    return bytes
  }
}

function inTurn<T>(makers: readonly (() => T)[]): () => T {
  let turn = 0
  return () => {
    const make = makers[turn++ % makers.length]
    if (make === undefined) throw new RangeError('there is nothing to send')
    return make()
  }
}

async function open(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    socket.once('connect', () => resolve(socket.removeListener('error', reject)))
    socket.once('error', reject)
  })
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
