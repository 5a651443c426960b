import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { openPostgresStorage } from '../src/storage/postgres/postgres-storage.ts'
import { openSqliteInline } from '../src/storage/sqlite/sqlite-storage.ts'
import type { TablesStage } from '../src/storage/suites/tables.contract.ts'
import { temporaryPostgresDatabase } from './temporary-database.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** An empty SQLite database, and its tables. */
export async function openSqliteTables(): Promise<TablesStage> {
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
}

/** An empty PostgreSQL database, and its tables. */
export async function openPostgresTables(): Promise<TablesStage> {
  const database = await temporaryPostgresDatabase()
  const storage = await openPostgresStorage(database.url)
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const query = async (text: string) => (await client.query<{ name: string }>(text)).rows
  return {
    storage,
    query,
    async columns() {
      const rows = await query(
        `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
         JOIN information_schema.tables USING (table_schema, table_name) WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
      )
      return rows.map(({ name }) => name)
    },
    async [Symbol.asyncDispose]() {
      await client.end()
      await storage.close()
      await database[Symbol.asyncDispose]()
    },
  }
}
