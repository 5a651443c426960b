import { DatabaseSync } from 'node:sqlite'

const BUSY = 5

/** Another process is using the database. */
export class DatabaseInUse extends Error {
  override readonly name = 'DatabaseInUse'
}

/** Opens a database that no other process has open, and keeps others out until it is closed. All of it is in the file then, without a log. */
export function takeAlone(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: 0 })
  try {
    // Set before the first access, this requests the exclusive lock. Only the sole user of a database can leave WAL mode.
    db.exec('PRAGMA locking_mode = EXCLUSIVE')
    db.exec('PRAGMA journal_mode = DELETE')
    db.exec('BEGIN EXCLUSIVE; COMMIT')
    return db
  } catch (error) {
    db.close()
    const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : undefined
    if (code !== BUSY) throw error
    throw new DatabaseInUse('A server or a command is working on the database.', { cause: error })
  }
}
