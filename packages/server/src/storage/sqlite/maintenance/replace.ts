import { closeSync, existsSync, fsyncSync, linkSync, openSync, renameSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** The files that SQLite keeps next to a database. If they were left, the log of one database would be replayed into the other. */
const COMPANIONS = ['-wal', '-shm', '-journal']
const BUSY = 5
/** Damaged, or not a database: no process can be using it. */
const UNREADABLE = [11, 26]

/** Another process is using the database. */
export class DatabaseInUse extends Error {
  override readonly name = 'DatabaseInUse'
}

/**
 * Replaces a database file with another, atomically: there is always a database. The previous file is kept at
 * `keptPath`; returns whether there was one.
 */
export function replaceSqlite(path: string, file: string, keptPath: string): boolean {
  const isThere = existsSync(path)
  const lock = isThere ? takeAlone(path) : undefined
  try {
    for (const companion of COMPANIONS.filter((one) => existsSync(path + one))) {
      renameSync(path + companion, keptPath + companion)
    }
    if (isThere) linkSync(path, keptPath)
    renameSync(file, path)
    syncFolder(dirname(path))
    return isThere
  } finally {
    lock?.close()
  }
}

/** Only the sole user of a database can leave WAL mode; then its contents are in the file. */
function takeAlone(path: string): DatabaseSync | undefined {
  const db = new DatabaseSync(path, { timeout: 0 })
  try {
    db.exec('PRAGMA locking_mode = EXCLUSIVE')
    db.exec('PRAGMA journal_mode = DELETE')
    db.exec('BEGIN EXCLUSIVE')
    return db
  } catch (error) {
    db.close()
    const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : undefined
    if (code === BUSY)
      throw new DatabaseInUse('A server or a command is working on the database.', { cause: error })
    if (code !== undefined && UNREADABLE.includes(code)) return undefined
    throw error
  }
}

function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r')
  fsyncSync(handle)
  closeSync(handle)
}
