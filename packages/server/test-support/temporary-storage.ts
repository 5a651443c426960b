import { openPostgresStorage } from '../src/storage/postgres/postgres-storage.ts'
import type { Storage } from '../src/storage/storage.ts'
import { temporaryPostgresDatabase } from './temporary-database.ts'

/** A storage on an empty PostgreSQL database; both are gone when the scope ends. */
export async function temporaryPostgresStorage(): Promise<Storage & AsyncDisposable> {
  const database = await temporaryPostgresDatabase()
  const storage = await openPostgresStorage(database.url)
  return {
    ...storage,
    async [Symbol.asyncDispose]() {
      await storage.close()
      await database[Symbol.asyncDispose]()
    },
  }
}
