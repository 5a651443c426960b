import { createHash } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { FileMissing, type FileName, type FileStore } from '../../files/file-store.ts'
import type { OnProgress } from './backup.ts'

/** A table that exists only in backups: one file contains everything, and is checked as a whole. */
const TABLE = 'backup_files'

interface FileRow {
  readonly project: number
  readonly digest: Uint8Array
  readonly object: FileName
  readonly size: number
}

/** A file of the database is not in its store. */
export class FileLost extends Error {
  override readonly name = 'FileLost'
}

/** Adds the files of a database to its copy. A file that was deleted since the copy was made is omitted, as if it had never arrived. */
export async function packFiles(
  copy: string,
  { database, store }: { readonly database: string; readonly store: FileStore },
  onProgress: OnProgress,
): Promise<void> {
  using db = new DatabaseSync(copy)
  const files = hasTable(db, 'files') ? filesIn(db) : []
  if (files.length === 0) return
  // Without a log next to it, the copy stays one file.
  db.exec('PRAGMA journal_mode = DELETE')
  db.exec(`CREATE TABLE ${TABLE} (object TEXT NOT NULL, number INTEGER NOT NULL, bytes BLOB NOT NULL,
    PRIMARY KEY (object, number)) STRICT`)
  const insert = db.prepare(`INSERT INTO ${TABLE} (object, number, bytes) VALUES (?, ?, ?)`)
  for (const [done, file] of files.entries()) {
    onProgress(done, files.length)
    let number = 0
    db.exec('BEGIN')
    try {
      for await (const bytes of store.read(file.object, { start: 0, end: file.size - 1 }))
        insert.run(file.object, number++, bytes)
      db.exec('COMMIT')
    } catch (error) {
      db.exec('ROLLBACK')
      if (!(error instanceof FileMissing)) throw error
      if (isKnown(database, file)) throw new FileLost(`the file ${file.object} is missing in ${store.place}`)
      forget(db, file)
    }
  }
  onProgress(files.length, files.length)
}

/** The files in a backup, and what is wrong with them. */
export interface PackedFiles {
  readonly count: number
  readonly faults: readonly string[]
}

/** Compares the files in a backup with their digests. */
export function checkPackedFiles(db: DatabaseSync): PackedFiles {
  if (!hasTable(db, TABLE)) return { count: 0, faults: [] }
  const files = filesIn(db)
  const faults = files.flatMap((file) => {
    const digest = createHash('sha256')
    for (const bytes of chunksOf(db, file)) digest.update(bytes)
    const isSame = digest.digest().equals(Buffer.from(file.digest))
    return isSame ? [] : [`the file ${file.object} is damaged or incomplete`]
  })
  return { count: files.length, faults }
}

/** Moves the files of a backup into a store, and leaves a database that can be used. */
export async function unpackFiles(file: string, store: FileStore, onProgress: OnProgress): Promise<void> {
  using db = new DatabaseSync(file)
  if (!hasTable(db, TABLE)) return
  const files = filesIn(db)
  for (const [done, row] of files.entries()) {
    onProgress(done, files.length)
    const { object: name, size, digest } = row
    const sha256 = Buffer.from(digest).toString('hex')
    await store.put({ name, size, sha256 }, toAsync(chunksOf(db, row)))
  }
  onProgress(files.length, files.length)
  db.exec(`DROP TABLE ${TABLE}`)
  db.exec('VACUUM')
}

function filesIn(db: DatabaseSync): readonly FileRow[] {
  const rows = db.prepare('SELECT project, digest, object, size FROM files ORDER BY project, digest').all()
  return rows as unknown as readonly FileRow[]
}

function* chunksOf(db: DatabaseSync, { object }: FileRow): Generator<Uint8Array> {
  const select = db.prepare(`SELECT bytes FROM ${TABLE} WHERE object = ? ORDER BY number`)
  for (const row of select.iterate(object)) yield row['bytes'] as Uint8Array
}

async function* toAsync(chunks: Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* chunks
}

function hasTable(db: DatabaseSync, name: string): boolean {
  return db.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(name) !== undefined
}

function isKnown(database: string, { object }: FileRow): boolean {
  using db = new DatabaseSync(database, { readOnly: true })
  return db.prepare('SELECT 1 FROM files WHERE object = ?').get(object) !== undefined
}

function forget(db: DatabaseSync, { project, digest, object, size }: FileRow): void {
  const received = 'issue_row >> 32 = ? AND digest = ? AND received_at IS NOT NULL'
  db.prepare(`UPDATE attachments SET received_at = NULL WHERE ${received}`).run(project, digest)
  db.prepare('DELETE FROM files WHERE object = ?').run(object)
  db.prepare('UPDATE projects SET file_bytes = file_bytes - ? WHERE seq = ?').run(size, project)
}
