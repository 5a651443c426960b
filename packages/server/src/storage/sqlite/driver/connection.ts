import { closeSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { createFolder } from './create-folder.ts'

/** How long a write waits for another process's transaction before it fails. */
const BUSY_TIMEOUT_MS = 5_000

export const IN_MEMORY = ':memory:'

/** Only its owner may read it: it contains webhook secrets and password hashes. The files next to it get the same mode. */
export const FILE_MODE = 0o600

/** Opens the connection that writes; creates the file, and the folders it is in, if there is none. `FULL`: a commit returns after the write-ahead log is on disk. */
export function openWriter(path: string): DatabaseSync {
  if (path !== IN_MEMORY) createFile(path)
  const db = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS })
  db.exec('PRAGMA journal_mode = WAL')
  db.exec('PRAGMA synchronous = FULL')
  // In pages, about 16 MB: pages that many commits change are then copied from the log to the file once.
  db.exec('PRAGMA wal_autocheckpoint = 4000')
  db.exec('PRAGMA temp_store = MEMORY')
  db.exec('PRAGMA cache_size = -16384')
  return db
}

function createFile(path: string): void {
  createFolder(dirname(path))
  try {
    closeSync(openSync(path, 'wx', FILE_MODE))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/** Opens a read-only connection; in WAL mode it neither waits for the writer nor blocks it. */
export function openReader(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { readOnly: true, timeout: BUSY_TIMEOUT_MS })
  // Every commit of the writer invalidates it.
  db.exec('PRAGMA cache_size = -8192')
  return db
}

/** Opens a file that is not in use, such as a backup, without creating files next to it. */
export function openFrozen(path: string): DatabaseSync {
  const url = pathToFileURL(path)
  url.searchParams.set('immutable', '1')
  return new DatabaseSync(url, { readOnly: true })
}
