import { transferStorage as sharedStorage, type TransferTransaction } from '../../maintenance/transfer.ts'
import type { TransferDialect } from '../../maintenance/transfer-rows.ts'
import { StoredId } from '../../operations.ts'
import type { ProjectStorage } from '../../storage.ts'
import type { TransferStorage } from '../../transfer.ts'
import { type Database, numbered, type Session } from '../driver/connection.ts'
import { toTsvector } from '../issues/search-index.ts'

/** Rows travel as JSON. */
export const POSTGRES_DIALECT: TransferDialect = {
  isPacked: false,
  toStored(value) {
    if (value instanceof StoredId) return Buffer.from(value.bytes).toString('hex')
    return value instanceof Uint8Array ? `\\x${Buffer.from(value).toString('hex')}` : value
  },
  projectColumns: () => ({}),
}

export function transferStorage(database: Database, projects: ProjectStorage): TransferStorage {
  return sharedStorage(
    {
      dialect: POSTGRES_DIALECT,
      snapshot: (work) =>
        database.snapshot(async (session) => {
          // Whoever takes the lines may be slow, and a page is read along its key even of a table that was never analysed.
          await session.run({
            text: 'SET LOCAL idle_in_transaction_session_timeout = 0; SET LOCAL enable_sort = off',
            values: [],
          })
          return work((text, values) => session.run(numbered(text, values)))
        }),
      transaction: (work) => database.transaction((tx) => work(transactionOn(tx))),
    },
    projects,
  )
}

function transactionOn(session: Session): TransferTransaction {
  async function insert(table: string, rows: readonly object[]): Promise<void> {
    const columns = Object.keys(rows[0] ?? {}).join(', ')
    await session.run({
      text: `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM json_populate_recordset(NULL::${table}, $1)`,
      values: [JSON.stringify(rows)],
    })
  }

  return {
    run: (text, values) => session.run(numbered(text, values)),
    insert: ({ table }, rows) => insert(table, rows),
    async index(issues, seq) {
      const rows = issues.map((issue) => ({
        project: seq,
        number: issue.number,
        tokens: toTsvector(seq, issue.number, issue),
      }))
      if (rows.length > 0) await insert('search', rows)
    },
  }
}
