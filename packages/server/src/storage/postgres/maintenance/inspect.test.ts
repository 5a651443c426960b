import pg from 'pg'
import { temporaryPostgresDatabase } from '../../../../test-support/temporary-database.ts'
import { describeInspection } from '../../suites/inspection.contract.ts'
import { openPostgresStorage } from '../postgres-storage.ts'
import { inspectPostgres } from './inspect.ts'

describeInspection('PostgreSQL', async () => {
  const database = await temporaryPostgresDatabase()
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
})
