import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { temporaryFolder } from '../../../test-support/temporary-folder.ts'
import { describeTables } from '../suites/tables.contract.ts'
import { openSqliteInline } from './sqlite-storage.ts'

describeTables('sqlite', async () => {
  const folder = temporaryFolder()
  const path = join(folder.path, 'bugle.db')
  const storage = openSqliteInline(path)
  const db = new DatabaseSync(path, { readOnly: true })
  const query = async (text: string) => db.prepare(text).all()
  return {
    storage,
    query,
    async columns() {
      const rows = await query(
        `SELECT m.name || '.' || c.name AS name FROM sqlite_schema m JOIN pragma_table_info(m.name) c
         WHERE m.type = 'table' AND m.name NOT LIKE 'search%' AND m.name NOT LIKE 'sqlite%'`,
      )
      return rows.map((row) => (row as { name: string }).name)
    },
    async [Symbol.asyncDispose]() {
      db.close()
      await storage.close()
      folder[Symbol.dispose]()
    },
  }
})
