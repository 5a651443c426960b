import { join } from 'node:path'
import type { ListBounds } from '../src/model/issue-lists.ts'
import { openPostgresStorage } from '../src/storage/postgres/postgres-storage.ts'
import { openSqliteInline, openSqliteStorage } from '../src/storage/sqlite/sqlite-storage.ts'
import type { Storage } from '../src/storage/storage.ts'
import { pretendCluster } from './citus-stand-in.ts'
import { type TemporaryDatabase, temporaryPostgresDatabase } from './temporary-database.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** A storage on an empty PostgreSQL database; both are removed when the scope ends. */
export async function temporaryPostgresStorage(bounds?: ListBounds): Promise<Storage & AsyncDisposable> {
  return openTemporary(await temporaryPostgresDatabase(), bounds)
}

/** The same, sending the statements that a cluster would get. */
export async function temporaryClusterStorage(bounds?: ListBounds): Promise<Storage & AsyncDisposable> {
  const database = await temporaryPostgresDatabase()
  await pretendCluster(database.url)
  return openTemporary(database, bounds)
}

async function openTemporary(
  database: TemporaryDatabase,
  bounds: ListBounds | undefined,
): Promise<Storage & AsyncDisposable> {
  const storage = await openPostgresStorage(database.url, undefined, bounds)
  return {
    ...storage,
    async [Symbol.asyncDispose]() {
      await storage.close()
      await database[Symbol.asyncDispose]()
    },
  }
}

/** A storage on an empty SQLite file; both are removed when the scope ends. */
export async function temporarySqliteStorage(bounds?: ListBounds): Promise<Storage & AsyncDisposable> {
  const folder = temporaryFolder()
  const storage = await openSqliteStorage({
    path: join(folder.path, 'bugle.db'),
    ...(bounds !== undefined && { bounds }),
    onCrash: (error) => {
      throw error
    },
  })
  return disposing(storage, folder)
}

/** A storage on an empty SQLite database in memory, closed when the scope ends. */
export async function memorySqliteStorage(): Promise<Storage & AsyncDisposable> {
  return disposing(openSqliteInline(':memory:'))
}

/** A storage that is closed when the scope ends, when its folder is deleted too. */
export function disposing(storage: Storage, folder?: Disposable): Storage & AsyncDisposable {
  return {
    ...storage,
    async [Symbol.asyncDispose]() {
      await storage.close()
      folder?.[Symbol.dispose]()
    },
  }
}
