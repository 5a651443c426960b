import { join } from 'node:path'
import { startReceiver } from '../../packages/server/test-support/start-receiver.ts'
import { temporaryFolder } from '../../packages/server/test-support/temporary-folder.ts'
import { startFirstServer, startServer } from '../support/start-server.ts'
import { type FuzzOrder, type FuzzReport, fuzz } from './fuzz.ts'
import { makeWorld } from './world.ts'

/** Fuzzes a server in a process of its own, which must have nothing to complain of and end well. */
export async function fuzzServer(order: FuzzOrder): Promise<FuzzReport> {
  using folder = temporaryFolder()
  await using receiver = await startReceiver()
  const database = join(folder.path, 'bugle.db')
  const { server: first } = await startFirstServer(database)
  await first.end('SIGTERM')
  await using world = await makeWorld(database)
  await using server = await startServer(database, { BUGLE_ALLOW_PRIVATE_WEBHOOKS: '127.0.0.1' })
  const report = await fuzz({ url: server.url, database, world, receiverUrl: receiver.url }, order)
  const { code } = await server.end('SIGTERM')
  if (code !== 0 || server.stderr !== '') throw new Error(`the server ended with ${code}: ${server.stderr}`)
  return report
}
