import { openPostgresStorage } from '../src/storage/postgres/postgres-storage.ts'
import { startPostgres } from './start-postgres.ts'
import { createDatabase, dropDatabase, urlOf } from './temporary-database.ts'

/** Nothing of what these tests store has to outlive the machine. Tests of durability start a server of their own. */
const HASTY = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']

/**
 * Databases for tests: of the server that the variable names, else of one that is started here. Once for a run of
 * tests. One of them is migrated, and those that tests get are copies of it.
 */
export default async function setUp(): Promise<() => Promise<void>> {
  const server = process.env['BUGLE_TEST_POSTGRES_URL'] ? undefined : await startPostgres({ settings: HASTY })
  if (server !== undefined) process.env['BUGLE_TEST_POSTGRES_URL'] = server.url
  const template = await createDatabase('template0')
  await (await openPostgresStorage(urlOf(template))).close()
  process.env['BUGLE_TEST_POSTGRES_TEMPLATE'] = template
  return async () => {
    await dropDatabase(template)
    await server?.stop()
  }
}
