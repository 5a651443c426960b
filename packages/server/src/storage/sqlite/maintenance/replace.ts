import { existsSync, linkSync, renameSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { syncFolder } from '../driver/sync-folder.ts'
import { takeAlone } from '../driver/take-alone.ts'

/** The files that SQLite keeps next to a database. If they were left, the log of one database would be replayed into the other. */
const COMPANIONS = ['-wal', '-shm', '-journal']
/** Damaged, or not a database: no process can be using it. */
const UNREADABLE = [11, 26]

/**
 * Replaces a database file with another, atomically: there is always a database. The previous file is kept at
 * `keptPath`; returns whether there was one.
 */
export function replaceSqlite(path: string, file: string, keptPath: string): boolean {
  const isThere = existsSync(path)
  const lock = isThere ? lockOf(path) : undefined
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

/** The lock on the database that is replaced; none if it is damaged, or not a database. */
function lockOf(path: string): DatabaseSync | undefined {
  try {
    return takeAlone(path)
  } catch (error) {
    if (error instanceof Error && 'errcode' in error && UNREADABLE.includes(Number(error.errcode) & 0xff))
      return undefined
    throw error
  }
}
