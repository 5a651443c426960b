import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { SQLITE } from '../../dialects.ts'
import { transferStorage as sharedStorage, type TransferTransaction } from '../../maintenance/transfer.ts'
import type { Run, TransferDialect } from '../../maintenance/transfer-rows.ts'
import { StoredId } from '../../operations.ts'
import type { ProjectStorage } from '../../ports/projects.ts'
import type { TransferStorage } from '../../transfer.ts'
import { IN_MEMORY, openReader, openWriter } from '../driver/connection.ts'
import { rowKey } from '../driver/row-keys.ts'
import { prepareCommand, prepareOnce } from '../driver/statements.ts'
import { prepareSearchWrites } from '../issues/search-index.ts'

interface Place {
  readonly path: string
  /** The only connection of a database in memory. */
  readonly reader: DatabaseSync
  readonly projects: ProjectStorage
}

export const SQLITE_DIALECT: TransferDialect = {
  name: 'sqlite',
  isPacked: true,
  current: SQLITE.current,
  toStored: (value) => (value instanceof StoredId ? value.bytes : value),
  // An import indexes issues itself, so nothing has to be indexed later.
  projectColumns: ({ lastIssueNumber }) => ({ indexed_number: lastIssueNumber }),
}

/** Transfers data over separate connections: nothing else waits for them or shares their transactions. */
export function transferStorage({ path, reader, projects }: Place): TransferStorage & Disposable {
  let writing: { readonly db: DatabaseSync; readonly tx: TransferTransaction } | undefined

  function openForWriting() {
    const db = path === IN_MEMORY ? reader : openWriter(path)
    return { db, tx: transactionOn(db) }
  }

  const shared = sharedStorage(
    {
      dialect: SQLITE_DIALECT,
      async snapshot(work) {
        if (path === IN_MEMORY) return work(runOn(reader))
        const db = openReader(path)
        try {
          db.exec('BEGIN')
          return await work(runOn(db))
        } finally {
          db.close()
        }
      },
      async transaction(work) {
        writing ??= openForWriting()
        const { db, tx } = writing
        db.exec('BEGIN IMMEDIATE')
        try {
          const result = await work(tx)
          db.exec('COMMIT')
          return result
        } catch (error) {
          if (db.isTransaction) db.exec('ROLLBACK')
          throw error
        }
      },
    },
    projects,
  )
  return {
    ...shared,
    [Symbol.dispose]() {
      if (writing !== undefined && writing.db !== reader) writing.db.close()
    },
  }
}

function runOn(db: DatabaseSync): Run {
  const prepare = prepareOnce(db)
  return async (text, values) => prepare(text).all(...(values as SQLInputValue[]))
}

function transactionOn(db: DatabaseSync): TransferTransaction {
  const search = prepareSearchWrites(db)
  return {
    run: runOn(db),
    async insert({ table }, rows) {
      const columns = Object.keys(rows[0] ?? {})
      const places = columns.map(() => '?').join(', ')
      const insert = prepareCommand(db, `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places})`)
      for (const row of rows) insert.run(...columns.map((column) => row[column] as SQLInputValue))
    },
    async index(issues, seq) {
      for (const issue of issues) search.add(rowKey(seq, issue.number), issue)
    },
    // The server indexes them: until then, a search examines the issues that have them.
    async indexTexts() {},
  }
}
