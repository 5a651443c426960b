import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { intercept } from '../intercept.ts'

/** Sits between an SDK and the server, and sends every request twice, as a client does after a lost response. */
export interface DoublingProxy extends AsyncDisposable {
  readonly url: string
  /** The statuses of the responses, two for each request. */
  readonly statuses: readonly number[]
}

export async function startDoublingProxy(target: string): Promise<DoublingProxy> {
  const statuses: number[] = []
  const proxy = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const send = () =>
      fetch(new URL(request.url ?? '/', target), {
        method: 'POST',
        headers: headersOf(request.headers),
        body: Buffer.concat(chunks),
      })
    statuses.push((await send()).status)
    const second = await send()
    statuses.push(second.status)
    response.writeHead(second.status, {
      'content-type': 'application/json',
      'x-sentry-rate-limits': second.headers.get('x-sentry-rate-limits') ?? '',
    })
    response.end(await second.text())
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const { port } = proxy.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    statuses,
    async [Symbol.asyncDispose]() {
      proxy.closeAllConnections()
      await new Promise((resolve) => proxy.close(resolve))
    },
  }
}

function headersOf(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    ['content-type', 'content-encoding', 'x-sentry-auth', 'user-agent'].flatMap((name) => {
      const value = headers[name]
      return typeof value === 'string' ? [[name, value]] : []
    }),
  )
}

/** Sends every envelope of a page twice, as after a lost response, and adds the statuses of all responses. */
export async function sendTwice(page: Page, statuses: number[]): Promise<void> {
  await intercept(page, '**/api/*/envelope/**', async (route) => {
    const first = await route.fetch()
    const second = await route.fetch()
    statuses.push(first.status(), second.status())
    await route.fulfill({ response: second })
  })
}
