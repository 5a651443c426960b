import { backup, type DatabaseSync } from 'node:sqlite'
import { openFrozen, openReader } from '../driver/connection.ts'

/** Copied in one step; between steps there is time to tell how far it is. */
const STEP_PAGES = 1_000

export type OnProgress = (done: number, total: number) => void

/** Copies a database as of one moment into an empty file, also while others write to it; nobody waits for it. */
export async function copySqlite(path: string, file: string, onProgress: OnProgress): Promise<void> {
  using db = openReader(path)
  await copyTo(db, file, onProgress)
}

/** Copies a file that nobody is using, and leaves nothing beside it. */
export async function copySqliteFile(path: string, file: string, onProgress: OnProgress): Promise<void> {
  using db = openFrozen(path)
  await copyTo(db, file, onProgress)
}

async function copyTo(db: DatabaseSync, file: string, onProgress: OnProgress): Promise<void> {
  // Without a snapshot of its own, SQLite begins anew after every commit of another process: under load it never ends.
  db.exec('BEGIN')
  db.prepare('SELECT count(*) FROM sqlite_schema').get()
  await backup(db, file, {
    rate: STEP_PAGES,
    progress: ({ totalPages, remainingPages }) => onProgress(totalPages - remainingPages, totalPages),
  })
}
