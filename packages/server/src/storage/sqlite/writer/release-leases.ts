import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { SCHEMA_VERSION, schemaVersion } from '../migrations/migrate.ts'

/**
 * Releases the deliveries that a crashed server had claimed, so that they do not wait for their leases to
 * expire. Only if no other process has the database open, because another server may be sending them. Returns
 * whether they were released.
 */
export function releaseLeases(path: string): boolean {
  if (!existsSync(path)) return false
  const db = new DatabaseSync(path, { timeout: 0 })
  try {
    // Every open connection holds a shared lock on the file, and a killed process holds none. Set before the
    // first access, this requests the exclusive lock.
    db.exec('PRAGMA locking_mode = EXCLUSIVE')
    const version = schemaVersion(db)
    if (version === 0 || version > SCHEMA_VERSION) return false
    db.exec('UPDATE deliveries SET leased_until = NULL WHERE leased_until IS NOT NULL')
    return true
  } catch (error) {
    // In use or faulty, which is reported when it is opened normally. Either way the leases expire.
    if (error instanceof Error && 'errcode' in error) return false
    throw error
  } finally {
    db.close()
  }
}
