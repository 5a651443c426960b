import type { Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import type { HttpRequest, HttpResponse } from '../core/platform.ts'

/** While it connects a socket keeps the process alive, whatever it is told; so this must not take long. */
const CONNECT_TIMEOUT_MS = 3_000

/** What `fetch` does for us elsewhere, but without keeping the process alive: a report is on disk and can wait. */
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
        text: () => text(incoming),
      }),
    )
    outgoing.end(body)
  })
}

function limitConnecting(socket: Socket): void {
  if (!socket.connecting) return
  const timer = setTimeout(() => socket.destroy(new Error('no connection')), CONNECT_TIMEOUT_MS).unref()
  socket.once('connect', () => clearTimeout(timer))
  socket.once('close', () => clearTimeout(timer))
}
