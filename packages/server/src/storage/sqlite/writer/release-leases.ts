import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { SCHEMA_VERSION, schemaVersion } from '../migrations/migrate.ts'

/**
 * Hands back the deliveries that a dead server had claimed, so that they need not wait until their leases run out. Does so
 * only while no other process has the database open: another server may be sending them. Returns whether it did.
 */
export function releaseLeases(path: string): boolean {
  if (!existsSync(path)) return false
  const db = new DatabaseSync(path, { timeout: 0 })
  try {
    // Every connection holds a shared lock on the file while it is open, and a killed process holds none. Said before the
    // first access, this asks for the lock that excludes them all.
    db.exec('PRAGMA locking_mode = EXCLUSIVE')
    const version = schemaVersion(db)
    if (version === 0 || version > SCHEMA_VERSION) return false
    db.exec('UPDATE deliveries SET leased_until = NULL WHERE leased_until IS NOT NULL')
    return true
  } catch (error) {
    // In use, or in trouble, which opening it for good will report. Either way the leases run out by themselves.
    if (error instanceof Error && 'errcode' in error) return false
    throw error
  } finally {
    db.close()
  }
}
