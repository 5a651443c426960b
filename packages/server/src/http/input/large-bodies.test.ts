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

it('a refused body may still be sent to its end, and the connection serves the next request', async () => {
  const { publicKey } = await stage.api.addProject()
  const bytes = 300_000
  const { hostname, port } = new URL(stage.api.url)
  const socket = connect(Number(port), hostname)
  let received = ''
  socket.setEncoding('utf8').on('data', (text) => {
    received += text
  })
  const common = `Host: ${hostname}\r\nAuthorization: Bearer ${publicKey}\r\n`
  socket.write(
    `POST /v1/issues HTTP/1.1\r\n${common}Content-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n`,
  )
  socket.write('x'.repeat(bytes / 2))
  while (!received.includes('requestId')) await once(socket, 'data')
  expect(received).toMatch(/^HTTP\/1.1 413 /)
  expect(received).not.toMatch(/^connection: close/im)

  received = ''
  socket.write('x'.repeat(bytes / 2))
  socket.write(`GET /readyz HTTP/1.1\r\n${common}\r\n`)
  while (!received.startsWith('HTTP/1.1 ')) await once(socket, 'data')
  expect(received).toMatch(/^HTTP\/1.1 200 /)
  socket.destroy()
})
