import { expect, it } from 'vitest'
import { temporarySqliteStorage } from '../../../../test-support/temporary-storage.ts'
import { forgottenColumns } from '../../../../test-support/transfer-columns.ts'
import { describeTransfer } from '../../suites/transfer.contract.ts'
import { openWriter } from '../driver/connection.ts'
import { migrate } from '../migrations/migrate.ts'
import { SQLITE_DIALECT } from './transfer.ts'

describeTransfer('SQLite to SQLite', temporarySqliteStorage, temporarySqliteStorage)

it('includes every column of SQLite', () => {
  const db = openWriter(':memory:')
  migrate(db)
  const rows = db
    .prepare(
      `SELECT m.name || '.' || c.name AS name FROM sqlite_schema m JOIN pragma_table_info(m.name) c WHERE m.type = 'table'`,
    )
    .all() as { name: string }[]
  expect(rows.length).toBeGreaterThan(100)
  expect(
    forgottenColumns(
      rows.map(({ name }) => name),
      SQLITE_DIALECT,
    ),
  ).toEqual([])
  db.close()
})
