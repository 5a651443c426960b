import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { setIssueStage } from '../../../test-support/issue-stage.ts'

const NESTED_AS_DEEP_AS_FITS = '['.repeat(120_000) + ']'.repeat(120_000)

const stage = setIssueStage()

it('a large body that is nested too deep is refused before it is parsed', async () => {
  const { publicKey } = await stage.api.addProject()
  const response = await fetch(`${stage.api.url}/v1/issues`, {
    method: 'POST',
    headers: { authorization: `Bearer ${publicKey}`, 'content-type': 'application/json' },
    body: NESTED_AS_DEEP_AS_FITS,
  })
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({
    code: 'malformed-body',
    detail: 'The body is nested deeper than 32 levels.',
  })
})

/** A connection that collects what it receives. */
function openConnection() {
  const { hostname, port } = new URL(stage.api.url)
  const socket = connect(Number(port), hostname)
  let received = ''
  socket.setEncoding('utf8').on('data', (text: string) => {
    received += text
  })
  return {
    socket,
    text: () => received,
    forget() {
      received = ''
    },
  }
}

function headOf(publicKey: string, ...lines: readonly string[]): string {
  const common = ['Host: localhost', `Authorization: Bearer ${publicKey}`, 'Content-Type: application/json']
  return `POST /v1/issues HTTP/1.1\r\n${[...common, ...lines].join('\r\n')}\r\n\r\n`
}

it('a refused body may still be sent to its end, and the connection serves the next request', async () => {
  const { publicKey } = await stage.api.addProject()
  const bytes = 300_000
  const { socket, ...connection } = openConnection()
  socket.write(headOf(publicKey, `Content-Length: ${bytes}`))
  socket.write('x'.repeat(bytes / 2))
  while (!connection.text().includes('requestId')) await once(socket, 'data')
  expect(connection.text()).toMatch(/^HTTP\/1.1 413 /)

  connection.forget()
  socket.write('x'.repeat(bytes / 2))
  socket.write('GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n')
  while (connection.text() === '') await once(socket, 'data')
  expect(connection.text()).toMatch(/^HTTP\/1.1 200 /)
  socket.destroy()
})

it.each([
  ['has ended its side', [], true],
  ['has asked for it', ['Connection: close'], false],
])('a refused body ends the connection of a client that %s', async (_, lines, isEnded) => {
  const { publicKey } = await stage.api.addProject()
  // It is parsed in a turn of its own, after the end of the client's side was seen.
  const body = '['.repeat(20_000)
  const { socket, ...connection } = openConnection()
  socket.write(headOf(publicKey, `Content-Length: ${body.length}`, ...lines) + body)
  if (isEnded) socket.end()
  await once(socket, 'close')
  expect(connection.text()).toMatch(/^HTTP\/1.1 400 /)
})
