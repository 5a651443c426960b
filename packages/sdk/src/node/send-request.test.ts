import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { listen } from '../../../../tests/support/sdk/listen.ts'
import { sendRequest } from './send-request.ts'

test('a request is sent as text, and its response is read as with fetch', async () => {
  await using server = createServer(async (request, response) => {
    const { method, url, headers } = request
    const body = await text(request)
    response.writeHead(429, { 'Retry-After': '7' })
    response.end(JSON.stringify({ method, url, type: headers['content-type'], key: headers['x-key'], body }))
  })
  const url = await listen(server)
  const answer = await sendRequest(`${url}/v1/issues`, {
    method: 'POST',
    headers: { 'x-key': 'k' },
    body: 'Schöne Grüße',
  })
  expect([answer.status, answer.headers.get('retry-after'), answer.headers.get('etag')]).toEqual([
    429,
    '7',
    null,
  ])
  expect(JSON.parse(await answer.text())).toEqual({
    method: 'POST',
    url: '/v1/issues',
    type: 'text/plain;charset=UTF-8',
    key: 'k',
    body: 'Schöne Grüße',
  })
})

test('an aborted request rejects', async () => {
  await using server = createServer()
  const url = await listen(server)
  const abort = new AbortController()
  const answer = sendRequest(url, { signal: abort.signal })
  await once(server, 'request')
  abort.abort()
  await expect(answer).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }))
})

test('a server that does not accept the connection times out after three seconds', async () => {
  const script = `require('net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, function () {
    process.stdout.write(String(this.address().port), () => process.kill(process.pid, 'SIGSTOP'))
  })`
  const child = spawn(process.execPath, ['--eval', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [port] = await once(child.stdout, 'data')
  // A stopped process accepts no connections: the kernel accepts a few for it, and the others wait.
  const waiting = Array.from({ length: 4 }, () => connect(Number(port), '127.0.0.1').on('error', () => {}))
  try {
    await once(waiting[0] ?? child, 'connect')
    await expect(sendRequest(`http://127.0.0.1:${port}`, {})).rejects.toThrow('no connection')
  } finally {
    for (const socket of waiting) socket.destroy()
    child.kill('SIGKILL')
  }
})
