import { join } from 'node:path'
import { inspectPostgres } from '../src/storage/postgres/maintenance/inspect.ts'
import { openPostgresStorage } from '../src/storage/postgres/postgres-storage.ts'
import { inspectSqlite } from '../src/storage/sqlite/maintenance/inspect.ts'
import { openSqliteInline } from '../src/storage/sqlite/sqlite-storage.ts'
import type { AuditedStorage } from '../src/storage/suites/merges.contract.ts'
import { temporaryPostgresDatabase } from './temporary-database.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** An empty SQLite file that can be recounted; it is removed when the scope ends. */
export async function auditedSqlite(): Promise<AuditedStorage> {
  const folder = temporaryFolder()
  const path = join(folder.path, 'bugle.db')
  const storage = openSqliteInline(path)
  return {
    storage,
    async listFaults() {
      await using inspection = await inspectSqlite(path)
      return (await inspection.audit()).faults
    },
    async [Symbol.asyncDispose]() {
      await storage.close()
      folder[Symbol.dispose]()
    },
  }
}

/** The same on PostgreSQL. */
export async function auditedPostgres(): Promise<AuditedStorage> {
  const database = await temporaryPostgresDatabase()
  const storage = await openPostgresStorage(database.url)
  return {
    storage,
    async listFaults() {
      await using inspection = await inspectPostgres(database.url)
      return (await inspection.audit()).faults
    },
    async [Symbol.asyncDispose]() {
      await storage.close()
      await database[Symbol.asyncDispose]()
    },
  }
}
