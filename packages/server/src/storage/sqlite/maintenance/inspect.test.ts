import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { temporaryFolder } from '../../../../test-support/temporary-folder.ts'
import { describeInspection } from '../../suites/inspection.contract.ts'
import { openSqliteInline } from '../sqlite-storage.ts'
import { inspectSqlite } from './inspect.ts'

describeInspection('SQLite', async () => {
  const folder = temporaryFolder()
  const path = join(folder.path, 'bugle.db')
  const storage = openSqliteInline(path)
  return {
    storage,
    inspect: async () => inspectSqlite(path),
    async run(sql) {
      using db = new DatabaseSync(path, { timeout: 5_000, defensive: false })
      db.exec(sql)
    },
    heads: 'projects',
    emptySearch: `INSERT INTO search (rowid, tokens) SELECT row, 'late' FROM issues WHERE row NOT IN (SELECT id FROM search_docsize);
      UPDATE projects SET indexed_number = last_issue_number + 9;
      DELETE FROM search WHERE rowid = (SELECT min(row) FROM issues)`,
    async [Symbol.asyncDispose]() {
      await storage.close()
      folder[Symbol.dispose]()
    },
  }
})
