import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { temporaryFolder } from '../../../test-support/temporary-folder.ts'
import { describeDeletedIssues } from '../suites/deleted-issues.contract.ts'
import { inspectSqlite } from './maintenance/inspect.ts'
import { openSqliteInline } from './sqlite-storage.ts'

describeDeletedIssues('SQLite', async () => {
  const folder = temporaryFolder()
  const path = join(folder.path, 'bugle.db')
  return {
    open: async () => openSqliteInline(path),
    inspect: async () => inspectSqlite(path),
    async count(sql) {
      using db = new DatabaseSync(path, { readOnly: true })
      return (db.prepare(sql).get() as { count: number }).count
    },
    isOfFirstIssue: 'issue_row & 4294967295 = 1',
    [Symbol.asyncDispose]: async () => folder[Symbol.dispose](),
  }
})
