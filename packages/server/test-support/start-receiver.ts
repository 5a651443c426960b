import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A message that a webhook has sent. */
export interface Received {
  readonly headers: IncomingHttpHeaders & { readonly 'webhook-id'?: string }
  readonly text: string
}

export interface Reaction {
  readonly status: number
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** A real receiver of webhooks on this machine. */
export interface Receiver extends AsyncDisposable {
  readonly url: string
  /** All messages, oldest first. */
  readonly received: readonly Received[]
  /** The number of different messages it has accepted, by `webhook-id`. */
  readonly taken: ReadonlySet<string>
  /** Sets the response from now on, to the nth repeat of a message; `hang` never responds. */
  react(reaction: React): void
}

type React = (received: Received, nth: number) => Reaction | 'hang' | Promise<Reaction>

/** Responds with 200 by default. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = []
  const taken = new Set<string>()
  const counts = new Map<string, number>()
  let reaction: React = () => ({ status: 200 })

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = await request.toArray()
    const one: Received = { headers: request.headers, text: Buffer.concat(chunks).toString() }
    received.push(one)
    const id = one.headers['webhook-id'] ?? ''
    const nth = (counts.get(id) ?? 0) + 1
    counts.set(id, nth)
    const answer = await reaction(one, nth)
    if (answer === 'hang') return
    if (answer.status < 300) taken.add(id)
    response.writeHead(answer.status, answer.headers).end(answer.body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    taken,
    react(next) {
      reaction = next
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
