import { existsSync } from 'node:fs'
import { missingDatabase } from '../../maintenance/schema-versions.ts'
import { schemaVersion } from '../migrations/migrate.ts'
import { openReader } from './connection.ts'

/** Fails unless the file is a Bugle database, of any release. */
export function requireSqlite(path: string): void {
  if (!existsSync(path)) throw missingDatabase()
  const db = openReader(path)
  try {
    if (schemaVersion(db) === 0) throw missingDatabase()
  } finally {
    db.close()
  }
}
