import { backup, type DatabaseSync } from 'node:sqlite'
import type { OnProgress } from '../../inspection.ts'
import { openFrozen, openReader } from '../driver/connection.ts'

/** The number of pages copied in one step; progress is reported between steps. */
const STEP_PAGES = 1_000

/** Copies a snapshot of a database into an empty file, also while others write to it, without blocking them. */
export async function copySqlite(path: string, file: string, onProgress: OnProgress): Promise<void> {
  using db = openReader(path)
  await copyTo(db, file, onProgress)
}

/** Copies a file that is not in use, without creating files next to it. */
export async function copySqliteFile(path: string, file: string, onProgress: OnProgress): Promise<void> {
  using db = openFrozen(path)
  await copyTo(db, file, onProgress)
}

async function copyTo(db: DatabaseSync, file: string, onProgress: OnProgress): Promise<void> {
  // Without a snapshot, SQLite restarts the copy after every commit of another process and never finishes under load.
  db.exec('BEGIN')
  db.prepare('SELECT count(*) FROM sqlite_schema').get()
  await backup(db, file, {
    rate: STEP_PAGES,
    progress: ({ totalPages, remainingPages }) => onProgress(totalPages - remainingPages, totalPages),
  })
}
