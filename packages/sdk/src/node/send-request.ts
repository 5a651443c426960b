import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { MAX_ANSWER_BYTES } from '../core/delivery/requests.ts'
import type { HttpRequest, HttpResponse } from '../core/platform.ts'

/** A socket that is connecting always keeps the process alive, so this must not take long. */
const CONNECT_TIMEOUT_MS = 3_000

/** A replacement for `fetch` that does not keep the process alive: a report is on disk and can wait. */
export async function sendRequest(
  url: string,
  { method, headers, body, signal }: HttpRequest,
): Promise<HttpResponse> {
  // Not before it is needed: these modules take longer to load than the SDK itself.
  const { request } = await (url.startsWith('https:') ? import('node:https') : import('node:http'))
  return new Promise((resolve, reject) => {
    const outgoing = request(url, {
      ...(method && { method }),
      ...(signal && { signal }),
      headers: { ...(body && { 'content-type': 'text/plain;charset=UTF-8' }), ...headers },
    })
    outgoing.on('error', reject)
    outgoing.on('socket', (socket) => {
      socket.unref()
      limitConnecting(socket)
    })
    outgoing.on('response', (incoming) =>
      resolve({
        status: incoming.statusCode ?? 0,
        headers: { get: (name) => incoming.headers[name]?.toString() ?? null },
        text: () => readStart(incoming),
      }),
    )
    outgoing.end(body)
  })
}

/** The text of a response, or nothing if it is too long; the rest is not received. */
async function readStart(incoming: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of incoming) {
    chunks.push(chunk)
    bytes += chunk.length
    // Leaving the loop destroys the stream and with it the connection.
    if (bytes > MAX_ANSWER_BYTES) return ''
  }
  return Buffer.concat(chunks).toString()
}

function limitConnecting(socket: Socket): void {
  if (!socket.connecting) return
  const timer = setTimeout(() => socket.destroy(new Error('no connection')), CONNECT_TIMEOUT_MS).unref()
  socket.once('connect', () => clearTimeout(timer))
  socket.once('close', () => clearTimeout(timer))
}
