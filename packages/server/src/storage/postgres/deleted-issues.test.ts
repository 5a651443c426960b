import pg from 'pg'
import { temporaryPostgresDatabase } from '../../../test-support/temporary-database.ts'
import { describeDeletedIssues } from '../suites/deleted-issues.contract.ts'
import { inspectPostgres } from './maintenance/inspect.ts'
import { openPostgresStorage } from './postgres-storage.ts'

describeDeletedIssues('PostgreSQL', async () => {
  const database = await temporaryPostgresDatabase()
  return {
    open: () => openPostgresStorage(database.url),
    inspect: () => inspectPostgres(database.url),
    async count(sql) {
      const client = new pg.Client({ connectionString: database.url })
      await client.connect()
      const { rows } = await client.query<{ count: string }>(sql)
      await client.end()
      return Number(rows[0]?.count)
    },
    isOfFirstIssue: 'issue_number = 1',
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  }
})
