import { startReceiver } from '../../packages/server/test-support/start-receiver.ts'
import { startServerOn } from '../support/start-server.ts'
import { createFuzzDatabase, type DatabaseKind } from './database.ts'
import { type FuzzOptions, type FuzzReport, fuzz } from './fuzz.ts'
import { makeWorld } from './world.ts'

/** Fuzzes a server in a separate process, which must log no errors and exit cleanly. */
export async function fuzzServer(kind: DatabaseKind, options: FuzzOptions): Promise<FuzzReport> {
  await using database = await createFuzzDatabase(kind)
  await using receiver = await startReceiver()
  const first = await startServerOn(database.url)
  await first.end('SIGTERM')
  await using world = await makeWorld(database.url)
  await using server = await startServerOn(database.url, { BUGLE_ALLOW_PRIVATE_WEBHOOKS: '127.0.0.1' })
  await using commits = await database.watch()
  const report = await fuzz({ url: server.url, commits, world, receiverUrl: receiver.url }, options)
  const { code } = await server.end('SIGTERM')
  if (code !== 0 || server.stderr !== '') throw new Error(`the server ended with ${code}: ${server.stderr}`)
  return report
}
