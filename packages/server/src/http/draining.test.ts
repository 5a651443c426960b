import { once } from 'node:events'
import http from 'node:http'
import { connect } from 'node:net'
import { buffer, text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { startApp, type TestApp } from '../../test-support/start-app.ts'

/** A request of a client that keeps its connection, as a proxy does. */
async function ask(api: TestApp, agent: http.Agent, path: string): Promise<http.IncomingMessage> {
  const [response] = (await once(http.get(api.url + path, { agent }), 'response')) as [http.IncomingMessage]
  return response
}

test('a server that drains is not ready, but serves requests and ends their connections', async () => {
  await using api = await startApp()
  const { publicKey } = await api.addProject()
  using agent = keepingAgent()
  const before = await ask(api, agent, '/healthz')
  const { socket } = before
  await buffer(before)
  expect(before.headers.connection).toBe('keep-alive')
  expect((await api.send('GET', '/readyz')).status).toBe(200)

  api.app.drain()
  // The idle connection is not closed: a request may be on its way.
  const after = await ask(api, agent, '/readyz')
  expect(after.socket === socket).toBe(true)
  expect({ status: after.statusCode, connection: after.headers.connection }).toEqual({
    status: 503,
    connection: 'close',
  })
  expect(JSON.parse(await text(after))).toMatchObject({
    code: 'unavailable',
    detail: 'The server is stopping.',
  })
  const submitted = await api.send('POST', '/v1/issues', { key: publicKey, body: { title: 'Late' } })
  expect(submitted.status).toBe(201)
})

test('the response to a request that began before ends its connection, too', async () => {
  await using api = await startApp()
  const { publicKey } = await api.addProject()
  using agent = keepingAgent()
  const request = http.request(`${api.url}/v1/issues`, {
    agent,
    method: 'POST',
    headers: {
      authorization: `Bearer ${publicKey}`,
      'content-type': 'application/json',
      expect: '100-continue',
    },
  })
  request.flushHeaders()
  await once(request, 'continue')
  api.app.drain()
  request.end('{"title": "Began before"}')
  const [response] = (await once(request, 'response')) as [http.IncomingMessage]
  expect({ status: response.statusCode, connection: response.headers.connection }).toEqual({
    status: 201,
    connection: 'close',
  })
  await buffer(response)
})

test('event streams end with the time to reconnect after, also those that begin now', async () => {
  await using api = await startApp()
  const { secretKey } = await api.addProject()
  const open = () =>
    fetch(`${api.url}/v1/events`, {
      headers: { authorization: `Bearer ${secretKey}`, accept: 'text/event-stream' },
    })
  const stream = await open()
  api.app.drain()
  expect(await stream.text()).toMatch(/^retry: 3000\n\nretry: [1-4]\d{3}\n\n$/)
  const next = await open()
  expect(next.status).toBe(200)
  expect(await next.text()).toMatch(/^retry: 3000\n\nretry: [1-4]\d{3}\n\n$/)
})

test('a server that stops serves connections that the kernel has completed, and waits for their first request', async () => {
  const api = await startApp()
  const { port } = new URL(api.url)
  const sockets = Array.from({ length: 40 }, () => connect(Number(port), '127.0.0.1'))
  const responses = sockets.map(async (socket) => text(socket))
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  const stopped = api[Symbol.asyncDispose]()
  for (const socket of sockets) socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n')
  for (const response of await Promise.all(responses)) expect(response).toMatch(/^HTTP\/1.1 200 OK/)
  await stopped
})

function keepingAgent(): http.Agent & Disposable {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
  return Object.assign(agent, { [Symbol.dispose]: () => agent.destroy() })
}
