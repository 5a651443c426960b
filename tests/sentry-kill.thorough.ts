import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { envelopeOf, sentryAuth, sentryPath } from '../packages/server/test-support/sentry-stage.ts'
import { temporaryFolder } from '../packages/server/test-support/temporary-folder.ts'
import { METRICS_TOKEN, startFirstServer, startServer } from './support/start-server.ts'

const EVENT = { event_id: '9ec79c33ec9942ab8353589fcb2e04dc', message: 'Before the commit' }
const ENVELOPE = envelopeOf(
  { event_id: EVENT.event_id },
  [{ type: 'event' }, EVENT],
  [{ type: 'attachment', filename: 'log.txt' }, 'one line'],
)

test('an envelope whose server is killed before the commit is neither acknowledged nor stored, and arrives once when sent again', async () => {
  using folder = temporaryFolder()
  const database = join(folder.path, 'bugle.db')
  const { server, keys } = await startFirstServer(database)
  await using _ = server
  const read = async (url: string, path: string) => {
    const headers = { authorization: `Bearer ${keys.secretKey}` }
    return (await (await fetch(`${url}${path}`, { headers })).json()) as Page
  }
  const send = (url: string) =>
    fetch(`${url}${path}`, { method: 'POST', body: ENVELOPE, headers: sentryAuth(keys) }).then(
      ({ status }) => status,
      () => 'no response',
    )
  const path = sentryPath((await read(server.url, '/v1/projects')).data[0] ?? { id: 'prj_' })
  {
    // While another connection writes, the server cannot commit.
    using lock = new DatabaseSync(database, { timeout: 30_000 })
    lock.exec('BEGIN IMMEDIATE')
    let response: number | string | undefined
    const sent = send(server.url).then((status) => {
      response = status
    })
    await expect.poll(async () => response ?? (await countPending(server.url))).not.toBe(0)
    await server.end('SIGKILL')
    await sent
    expect(response).not.toBe(200)
    lock.exec('ROLLBACK')
  }
  await using next = await startServer(database)
  expect((await read(next.url, '/v1/issues')).data).toEqual([])
  expect([await send(next.url), await send(next.url)]).toEqual([200, 200])
  const { data } = await read(next.url, '/v1/issues')
  expect(data).toMatchObject([{ title: 'Before the commit', reportCount: 1, attachmentState: 'received' }])
})

interface Page {
  readonly data: readonly { readonly id: `prj_${string}` }[]
}

/** How many writes wait to be committed. */
async function countPending(url: string): Promise<number> {
  const response = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } })
  return Number(/^bugle_write_queue_depth (\d+)$/m.exec(await response.text())?.[1] ?? 0)
}
