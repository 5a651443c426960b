import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import http from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../packages/server/test-support/temporary-folder.ts'
import { printedKeys, startFirstServer, startServer } from './support/start-server.ts'

test('SIGTERM waits for a report that is still arriving, but not for an idle connection', async () => {
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

  expect(await ended).toEqual({ code: 0, signal: null })
  expect(server.stderr).not.toContain('cut off')
  agent.destroy()
  // No log is left next to it: the file alone can be copied.
  expect(readdirSync(folder.path)).toEqual(['bugle.db'])
})

// What it does meanwhile is tested in `http/draining.test.ts`, and behind a proxy in `rolling-restart.thorough.ts`.
test.each([
  ['SIGTERM', '1', 1],
  ['SIGTERM', '', 0],
  ['SIGINT', '1', 0],
] as const)('%s with BUGLE_DRAIN_SECONDS=%s on SQLite drains for %d s', async (signal, setting, seconds) => {
  using folder = temporaryFolder()
  const settings = { BUGLE_DRAIN_SECONDS: setting, BUGLE_LOG_LEVEL: 'info' }
  await using server = await startServer(join(folder.path, 'bugle.db'), settings)
  const { secretKey } = await printedKeys(server)
  const stream = await fetch(`${server.url}/v1/events`, {
    headers: { authorization: `Bearer ${secretKey}`, accept: 'text/event-stream' },
  })
  const before = performance.now()
  expect(await server.end(signal)).toEqual({ code: 0, signal: null })
  expect(performance.now() - before).toBeGreaterThan(seconds * 1_000)
  expect(server.stderr).toContain(`"drainSeconds":${seconds}`)
  expect(await stream.text()).toMatch(/\nretry: \d{4}\n\n$/)
})

/** Waits until the server accepts no new connections. */
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
