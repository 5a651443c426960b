import { randomBytes } from 'node:crypto'
import { openPostgresStorage } from '../src/storage/postgres/postgres-storage.ts'
import { startPostgres } from './start-postgres.ts'
import { createDatabase, dropDatabases, urlOf } from './temporary-database.ts'

/** The data of these tests need not survive a crash. Tests of durability start their own server. */
const HASTY = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']

/**
 * Databases for tests, on the server in the variable or on one that is started here, once per test run: Vitest sets
 * up its projects one after another, and may tear them down in a different order. One database is migrated, and tests get
 * copies of it.
 */
export default async function setUp(): Promise<(() => Promise<void>) | undefined> {
  if (process.env['BUGLE_TEST_POSTGRES_TEMPLATE'] !== undefined) return undefined
  const server = process.env['BUGLE_TEST_POSTGRES_URL']
    ? undefined
    : await startPostgres({ settings: HASTY, isShortLived: true })
  if (server !== undefined) process.env['BUGLE_TEST_POSTGRES_URL'] = server.url
  const template = `bugle_${randomBytes(6).toString('hex')}`
  await createDatabase(template, 'template0')
  await (await openPostgresStorage(urlOf(template))).close()
  process.env['BUGLE_TEST_POSTGRES_TEMPLATE'] = template
  return () => (server === undefined ? dropDatabases(template) : server.stop())
}
