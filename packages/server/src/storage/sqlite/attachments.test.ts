import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { temporaryFolder } from '../../../test-support/temporary-folder.ts'
import { describeAttachments } from '../suites/attachments.contract.ts'
import { openSqliteInline } from './sqlite-storage.ts'

describeAttachments('SQLite', async () => {
  const folder = temporaryFolder()
  const path = join(folder.path, 'bugle.db')
  const storage = openSqliteInline(path)
  return {
    storage,
    async count(sql) {
      using db = new DatabaseSync(path, { readOnly: true })
      return (db.prepare(sql).get() as { count: number }).count
    },
    async planOf({ sqlite }, values) {
      using db = new DatabaseSync(path, { readOnly: true })
      const parameters = Object.fromEntries(values.map((value, index) => [`$${index + 1}`, value]))
      return JSON.stringify(db.prepare(`EXPLAIN QUERY PLAN ${sqlite}`).all(parameters))
    },
    async declareMany(issueNumber, from, count) {
      using db = new DatabaseSync(path)
      db.prepare(
        `WITH RECURSIVE numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < ?3)
         INSERT INTO attachments (issue_row, number, id, digest, name, declared_type, size)
         SELECT ((SELECT seq FROM projects) << 32) + ?1, ?2 + n, randomblob(16), randomblob(32), 'a', 'text/plain', 1 FROM numbers`,
      ).run(issueNumber, from, count)
    },
    async [Symbol.asyncDispose]() {
      await storage.close()
      folder[Symbol.dispose]()
    },
  }
})
