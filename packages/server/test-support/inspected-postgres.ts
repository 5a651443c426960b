import pg from 'pg'
import { inspectPostgres } from '../src/storage/postgres/maintenance/inspect.ts'
import { openPostgresStorage } from '../src/storage/postgres/postgres-storage.ts'
import type { InspectedDatabase } from '../src/storage/suites/inspection.contract.ts'
import { temporaryPostgresDatabase } from './temporary-database.ts'

/** A storage on an empty PostgreSQL database, which may be changed before it is opened, and what inspects it. */
export async function openInspectedPostgres(
  prepare: (url: string) => Promise<void> = async () => {},
): Promise<InspectedDatabase> {
  const database = await temporaryPostgresDatabase()
  await prepare(database.url)
  const storage = await openPostgresStorage(database.url)
  return {
    storage,
    inspect: () => inspectPostgres(database.url),
    async run(sql) {
      const client = new pg.Client({ connectionString: database.url })
      await client.connect()
      await client.query(sql)
      await client.end()
    },
    heads: 'project_heads',
    emptySearch: 'DELETE FROM search WHERE number = (SELECT min(number) FROM issues)',
    async [Symbol.asyncDispose]() {
      await storage.close()
      await database[Symbol.asyncDispose]()
    },
  }
}
