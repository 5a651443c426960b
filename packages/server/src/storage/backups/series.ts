import { randomInt } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { openReader } from '../sqlite/driver/connection.ts'
import type { Series } from './backup-names.ts'

const BUSY_TIMEOUT_MS = 5_000

/**
 * The random number of a database by which it recognises its own backups: two installations can share a folder, and neither deletes
 * backups of the other. It is in the header of the file (`application_id`). A restored database begins a new series.
 */
export function findSeries(path: string): Series | null {
  using db = openReader(path)
  return read(db)
}

/** The same; a database that has no number yet gets one. */
export function requireSeries(path: string): Series {
  using db = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS })
  const found = read(db)
  if (found !== null) return found
  db.exec(`PRAGMA application_id = ${randomInt(1, 2 ** 31)}`)
  return requireSeries(path)
}

/** Makes a database that is not in use forget its number: the one that it was copied from may still be running. */
export function endSeries(path: string): void {
  using db = new DatabaseSync(path)
  db.exec('PRAGMA application_id = 0')
}

function read(db: DatabaseSync): Series | null {
  const { application_id: id } = db.prepare('PRAGMA application_id').get() as { application_id: number }
  return id === 0 ? null : id.toString(16).padStart(8, '0')
}
