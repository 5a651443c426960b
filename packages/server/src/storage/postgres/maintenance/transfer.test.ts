import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryPostgresDatabase } from '../../../../test-support/temporary-database.ts'
import { temporaryFolder } from '../../../../test-support/temporary-folder.ts'
import {
  temporaryPostgresStorage,
  temporarySqliteStorage,
} from '../../../../test-support/temporary-storage.ts'
import { forgottenColumns } from '../../../../test-support/transfer-columns.ts'
import { exportText, fileStoresIn, importText } from '../../../../test-support/transfer-files.ts'
import { tellTransferStory } from '../../../../test-support/transfer-story.ts'
import type { Storage } from '../../storage.ts'
import { describeTransfer } from '../../suites/transfer.contract.ts'
import { connect } from '../driver/connection.ts'
import { createConnector } from '../driver/connector.ts'
import { POSTGRES_DIALECT } from './transfer.ts'

describeTransfer('SQLite to PostgreSQL', temporarySqliteStorage, temporaryPostgresStorage)

it('is the same file from PostgreSQL to SQLite and back', async () => {
  using folder = temporaryFolder()
  await using source = await temporaryPostgresStorage()
  await using middle = await temporarySqliteStorage()
  await using target = await temporaryPostgresStorage()
  const filesOf = fileStoresIn(folder.path)
  const exportAll = (storage: Storage) => exportText(storage, null, filesOf(storage))
  await tellTransferStory(source, filesOf(source))
  const text = await exportAll(source)
  await importText(middle, join(folder.path, 'to.ndjson'), text, { files: filesOf(middle) })
  await importText(target, join(folder.path, 'back.ndjson'), await exportAll(middle))
  expect((await exportAll(target)) === text).toBe(true)
})

it('includes every column of PostgreSQL', async () => {
  await using database = await temporaryPostgresDatabase()
  const connection = connect(createConnector(database.url))
  const rows = await connection.run<{ name: string }>({
    text: `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
      JOIN information_schema.tables USING (table_schema, table_name) WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
    values: [],
  })
  await connection.close()
  expect(rows.length).toBeGreaterThan(100)
  const names = rows.map(({ name }) => name)
  expect(forgottenColumns(names, POSTGRES_DIALECT)).toEqual([])
})
