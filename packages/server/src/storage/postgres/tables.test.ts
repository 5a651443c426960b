import pg from 'pg'
import { temporaryPostgresDatabase } from '../../../test-support/temporary-database.ts'
import { describeTables } from '../suites/tables.contract.ts'
import { openPostgresStorage } from './postgres-storage.ts'

describeTables('postgres', async () => {
  const database = await temporaryPostgresDatabase()
  const storage = await openPostgresStorage(database.url)
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const query = async (text: string) => (await client.query<{ name: string }>(text)).rows
  return {
    storage,
    query,
    async columns() {
      const rows = await query(
        `SELECT table_name || '.' || column_name AS name FROM information_schema.columns WHERE table_schema = 'public'`,
      )
      return rows.map(({ name }) => name)
    },
    async [Symbol.asyncDispose]() {
      await client.end()
      await storage.close()
      await database[Symbol.asyncDispose]()
    },
  }
})
