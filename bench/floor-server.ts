import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The floor: reads a request, parses its JSON, and responds with given bytes. It does nothing else. */

export interface Answer {
  readonly status: number
  /** Alternating names and values. */
  readonly headers: readonly string[]
  readonly body: string
}

if (import.meta.main) serve()

function serve(): void {
  let answers: readonly Answer[] = []
  let turn = 0
  process.on('message', (message) => {
    if (Array.isArray(message)) answers = message as readonly Answer[]
  })
  const server = createServer((request, response) => {
    readJson(request, () => {
      turn = (turn + 1) % answers.length
      const { status = 500, headers = [], body = '' } = answers[turn] ?? {}
      response.writeHead(status, [...headers]).end(body)
    })
  })
  server.keepAliveTimeout = 72_000
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo
    process.stdout.write(`listening on http://127.0.0.1:${port}\n`)
  })
}

function readJson(request: IncomingMessage, done: (body: unknown) => void): void {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () =>
    done(chunks.length === 0 ? undefined : JSON.parse(Buffer.concat(chunks).toString())),
  )
}
