import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { listen } from './listen.ts'

/** What the gateway does with a submission. */
export type Mishap =
  | {
      readonly kind: 'answer'
      readonly status: number
      readonly headers?: Readonly<Record<string, string>>
      /** By default an empty object, which is not a response of Bugle. */
      readonly body?: string
    }
  /** The server stores it, but its response never arrives. */
  | { readonly kind: 'lose the answer' }
  /** The connection breaks before the server receives it. */
  | { readonly kind: 'break' }
  /** There is never a response, to any request. */
  | { readonly kind: 'stay silent' }

export interface SeenRequest {
  /** As "POST /v1/issues". */
  readonly line: string
  readonly at: number
  readonly body: string
  /** The status of the server's response, if there was one. */
  status?: number
}

/** A proxy between pages and a real server that records everything and simulates faults. */
export interface Gateway extends AsyncDisposable {
  readonly url: string
  /** The address of the server, which may be gone for a while. */
  target: string
  /** Every request. */
  readonly seen: readonly SeenRequest[]
  /** What happens to submissions from now on; `undefined`: no fault. */
  mishap: Mishap | undefined
  /** What happens to files from now on. */
  uploadMishap: Mishap | undefined
  /** What happens to messages of reporters from now on. */
  messageMishap: Mishap | undefined
  countSubmissions(): number
}

export async function startGateway(firstTarget: string): Promise<Gateway> {
  const seen: SeenRequest[] = []

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const bytes = await readBody(request)
    const body = bytes.toString()
    const line = `${request.method} ${request.url}`
    const entry: SeenRequest = { line, at: performance.now(), body }
    seen.push(entry)
    if (gateway.mishap?.kind === 'stay silent') return
    const mishap = mishapOf(line)
    if (mishap?.kind === 'break') {
      response.destroy()
      return
    }
    if (mishap?.kind === 'answer') {
      response.writeHead(mishap.status, { ...CORS, ...mishap.headers }).end(mishap.body ?? '{}')
      return
    }
    const answer = await forward(gateway.target, request, bytes).catch(() => undefined)
    if (answer) entry.status = answer.status
    if (mishap || !answer) response.destroy()
    else response.writeHead(answer.status, answer.headers).end(answer.body)
  }

  function mishapOf(line: string): Mishap | undefined {
    if (line === 'POST /v1/issues') return gateway.mishap
    if (/^POST \/v1\/my\/.*\/messages$/.test(line)) return gateway.messageMishap
    return line.startsWith('PUT ') ? gateway.uploadMishap : undefined
  }

  const server = createServer((request, response) => {
    void handle(request, response)
  })
  const gateway: Gateway = {
    url: await listen(server),
    target: firstTarget,
    seen,
    mishap: undefined,
    uploadMishap: undefined,
    messageMishap: undefined,
    countSubmissions: () => seen.filter(({ line }) => line === 'POST /v1/issues').length,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return gateway
}

const CORS = { 'access-control-allow-origin': '*', 'access-control-expose-headers': 'Retry-After' }

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks)
}

async function forward(target: string, request: IncomingMessage, body: Buffer) {
  const names = [
    'authorization',
    'content-type',
    'if-none-match',
    'bugle-reporter',
    'origin',
    'access-control-request-method',
    'access-control-request-headers',
  ] as const
  const headers = names.flatMap((name) => {
    const value = request.headers[name]
    return typeof value === 'string' ? [[name, value] as const] : []
  })
  const response = await fetch(target + request.url, {
    method: request.method ?? 'GET',
    // The body is passed on as text.
    headers: { ...Object.fromEntries(headers), 'accept-encoding': 'identity' },
    ...(body.length > 0 && { body: new Uint8Array(body) }),
  })
  const kept = [...response.headers].filter(
    ([name]) => !/^(transfer-encoding|connection|keep-alive)$/.test(name),
  )
  return { status: response.status, headers: Object.fromEntries(kept), body: await response.text() }
}
