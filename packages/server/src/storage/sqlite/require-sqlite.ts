import { existsSync } from 'node:fs'
import { missingDatabase } from '../sql/schema-versions.ts'
import { openReader } from './connection.ts'
import { schemaVersion } from './migrate.ts'

/** Fails unless there is a database of ours in the file, of whatever release. */
export function requireSqlite(path: string): void {
  if (!existsSync(path)) throw missingDatabase()
  const db = openReader(path)
  try {
    if (schemaVersion(db) === 0) throw missingDatabase()
  } finally {
    db.close()
  }
}
