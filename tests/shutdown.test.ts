import { once } from 'node:events'
import http from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../packages/server/test-support/temporary-folder.ts'
import { openClient } from './support/load.ts'
import { acknowledgedOf, expectStored, type Sending, submitUntilCut } from './support/reports.ts'
import type { Exit } from './support/start-process.ts'
import { type Keys, startFirstServer, startServer } from './support/start-server.ts'

describe('SIGTERM under load', () => {
  const folder = temporaryFolder()
  const database = join(folder.path, 'bugle.db')
  let keys: Keys
  let sendings: readonly Sending[]
  let exit: Exit
  let seconds: number

  beforeAll(async () => {
    const first = await startFirstServer(database)
    await using server = first.server
    keys = first.keys
    await using client = openClient(server.url, keys.secretKey)
    const sending = submitUntilCut(client)
    await sleep(300)
    const began = performance.now()
    exit = await server.end('SIGTERM')
    seconds = (performance.now() - began) / 1000
    sendings = await sending
  })
  afterAll(() => folder[Symbol.dispose]())

  test('ends the server with exit 0 within 10 s', () => {
    expect(exit).toEqual({ code: 0, signal: null })
    expect(seconds).toBeLessThan(10)
  })

  test('loses no acknowledged report', async () => {
    await using server = await startServer(database)
    await using client = openClient(server.url, keys.secretKey)
    expect(acknowledgedOf(sendings).length).toBeGreaterThan(0)
    await expectStored(client, acknowledgedOf(sendings))
  })

  test('turns reports away only with a problem that says when to come back', () => {
    const refused = sendings.flatMap(({ answer }) => (answer && answer.status !== 201 ? [answer] : []))
    for (const { status, headers, body } of refused) {
      expect({ status, code: body.code, retryAfter: headers['retry-after'] }).toEqual({
        status: 503,
        code: 'unavailable',
        retryAfter: expect.stringMatching(/^\d+$/),
      })
    }
  })
})

test('SIGTERM waits for a report that is still arriving, but not for a connection that stays open', async () => {
  using folder = temporaryFolder()
  const { server, keys } = await startFirstServer(join(folder.path, 'bugle.db'))
  await using _ = server
  const agent = new http.Agent({ keepAlive: true })
  const request = http.request(`${server.url}/v1/issues`, {
    agent,
    method: 'POST',
    headers: {
      authorization: `Bearer ${keys.publicKey}`,
      'content-type': 'application/json',
      expect: '100-continue',
    },
  })
  request.flushHeaders()
  await once(request, 'continue')

  const ended = server.end('SIGTERM')
  await untilRefused(server.url)
  request.end('{"title": "Sent at the last moment"}')
  const [response] = (await once(request, 'response')) as [http.IncomingMessage]
  expect(response.statusCode).toBe(201)
  response.resume()

  const began = performance.now()
  expect(await ended).toEqual({ code: 0, signal: null })
  expect(performance.now() - began).toBeLessThan(4_000)
  agent.destroy()
})

/** Waits until the server takes no new connection. */
async function untilRefused(url: string): Promise<void> {
  while (await canConnect(url)) await sleep(10)
}

function canConnect(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  return once(socket, 'connect')
    .then(
      () => true,
      () => false,
    )
    .finally(() => socket.destroy())
}
