import { Agent, type IncomingMessage, request } from 'node:http'
import { text as readText } from 'node:stream/consumers'

/** Idle connections do not keep a test process alive. */
const agent = new Agent({ keepAlive: true })

interface Sent {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
}

interface Received {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** Like `fetch`, in a third of the CPU time: it follows no redirects, and HEAD does not end the connection. */
export async function sendRequest(url: string, { method, headers, body }: Sent): Promise<Received> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    request(url, { method, headers: { ...headers, ...length }, agent }, resolve)
      .on('error', reject)
      .end(body)
  })
  const received = new Headers()
  for (const [name, values = []] of Object.entries(response.headersDistinct))
    for (const value of values) received.append(name, value)
  return { status: response.statusCode ?? 0, headers: received, text: await readText(response) }
}
