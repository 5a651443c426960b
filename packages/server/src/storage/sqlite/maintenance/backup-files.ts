import { createHash } from 'node:crypto'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { FileMissing, type FileName, type FileStore, FileStoreUnavailable } from '../../files/file-store.ts'
import type { OnProgress } from '../../inspection.ts'
import type { UsedFile } from '../../ports/attachments.ts'
import { openReader } from '../driver/connection.ts'

/** Tables that exist only in backups: one file contains everything, and is checked as a whole. */
const BYTES = 'backup_files'
/** The files of the database whose bytes the backup does not have, because they were already lost. */
const LOST = 'backup_lost_files'
const STEP_FILES = 500
/** More are only counted. */
const MAX_LISTED = 100

interface FileRow {
  readonly project: number
  readonly digest: Uint8Array
  readonly object: FileName
  readonly size: number
}

/** A file of the database that could not be copied. */
export interface LostFile extends UsedFile {
  readonly sha256: string
  readonly fault: FileFault
}

type FileFault = 'missing' | 'damaged' | 'unreadable'

/**
 * Adds the files of a database to its copy. A file that was deleted since the copy was made is omitted, as if it had never
 * arrived; one whose bytes are lost is noted, and does not keep the others out of the backup.
 */
export async function packFiles(
  copy: string,
  { database, store }: { readonly database: string; readonly store: FileStore },
  onProgress: OnProgress,
): Promise<void> {
  using db = new DatabaseSync(copy)
  const total = hasTable(db, 'files') ? countFiles(db) : 0
  if (total === 0) return
  // Without a log next to it, the copy stays one file.
  db.exec('PRAGMA journal_mode = DELETE')
  // The copy is synced as a whole before it gets its name; until then, an interrupted one is useless anyway.
  db.exec('PRAGMA journal_mode = MEMORY')
  db.exec('PRAGMA synchronous = OFF')
  db.exec(`CREATE TABLE ${BYTES} (object TEXT NOT NULL, number INTEGER NOT NULL, bytes BLOB NOT NULL,
    PRIMARY KEY (object, number)) STRICT`)
  db.exec(`CREATE TABLE ${LOST} (project INTEGER NOT NULL, object TEXT NOT NULL, fault TEXT NOT NULL,
    PRIMARY KEY (project, object)) STRICT`)
  const note = db.prepare(`INSERT INTO ${LOST} (project, object, fault) VALUES (?, ?, ?)`)
  const insert = db.prepare(`INSERT INTO ${BYTES} (object, number, bytes) VALUES (?, ?, ?)`)
  let done = 0
  for (const file of filesIn(db)) {
    onProgress(done++, total)
    const fault = await packFile(db, insert, file, store)
    if (fault === null) continue
    if (isKnown(database, file)) note.run(file.project, file.object, fault)
    else forget(db, file)
  }
  onProgress(total, total)
}

/** The size of all files of a database. */
export function countFileBytes(path: string): number {
  using db = openReader(path)
  if (!hasTable(db, 'files')) return 0
  const row = db.prepare('SELECT coalesce(sum(file_bytes), 0) AS bytes FROM projects').get()
  return (row as { bytes: number }).bytes
}

async function packFile(
  db: DatabaseSync,
  insert: StatementSync,
  file: FileRow,
  store: FileStore,
): Promise<FileFault | null> {
  const hash = createHash('sha256')
  let number = 0
  let isWhole = false
  db.exec('BEGIN')
  try {
    for await (const bytes of store.read(file.object, { start: 0, end: file.size - 1 })) {
      hash.update(bytes)
      insert.run(file.object, number++, bytes)
    }
    isWhole = hash.digest().equals(file.digest)
    return isWhole ? null : 'damaged'
  } catch (error) {
    if (error instanceof FileMissing) return 'missing'
    if (error instanceof FileStoreUnavailable) return 'unreadable'
    throw error
  } finally {
    // A full disk has already ended it.
    if (db.isTransaction) db.exec(isWhole ? 'COMMIT' : 'ROLLBACK')
  }
}

/** The files in a backup, and what is wrong with them. */
export interface PackedFiles {
  readonly count: number
  /** Damage that the backup has suffered. */
  readonly faults: readonly string[]
  /** Files that were already lost when it was made, up to a hundred. */
  readonly lostFiles: readonly LostFile[]
  readonly lostCount: number
}

/** Compares the files in a backup with their digests. */
export function checkPackedFiles(db: DatabaseSync, onProgress: OnProgress): PackedFiles {
  if (!hasTable(db, BYTES)) return { count: 0, faults: [], lostFiles: [], lostCount: 0 }
  const lost = faultsIn(db)
  const total = countFiles(db)
  const faults: string[] = []
  let count = 0
  for (const { object, digest } of filesIn(db)) {
    if (lost.has(object)) continue
    onProgress(count++, total)
    const hash = createHash('sha256')
    for (const bytes of chunksOf(db, object)) hash.update(bytes)
    if (!hash.digest().equals(digest)) faults.push(`the file ${object} is damaged or incomplete`)
  }
  onProgress(total, total)
  return { count, faults, lostFiles: listLost(db), lostCount: lost.size }
}

/** Moves the files of a backup into a store, and leaves a database that can be used. */
export async function unpackFiles(file: string, store: FileStore, onProgress: OnProgress): Promise<void> {
  using db = new DatabaseSync(file)
  if (!hasTable(db, BYTES)) return
  const lost = faultsIn(db)
  const total = countFiles(db)
  let done = 0
  for (const { object: name, size, digest } of filesIn(db)) {
    onProgress(done++, total)
    if (lost.has(name)) continue
    const sha256 = Buffer.from(digest).toString('hex')
    await store.put({ name, size, sha256 }, toAsync(chunksOf(db, name)))
  }
  onProgress(total, total)
  for (const table of [BYTES, LOST]) db.exec(`DROP TABLE ${table}`)
  db.exec('VACUUM')
}

/** The bytes with this digest in a backup, in pieces; `undefined` if it does not have them. */
export function findPacked(db: DatabaseSync, sha256: string): Iterable<Uint8Array> | undefined {
  if (!hasTable(db, BYTES)) return undefined
  const lost = faultsIn(db)
  const rows = db.prepare('SELECT object FROM files WHERE digest = ?').all(Buffer.from(sha256, 'hex'))
  const found = (rows as unknown as readonly FileRow[]).find(({ object }) => !lost.has(object))
  return found && chunksOf(db, found.object)
}

/** In steps, so that a million files need little memory, and a file may be deleted meanwhile. */
function* filesIn(db: DatabaseSync): Generator<FileRow> {
  const select = db.prepare(
    `SELECT project, digest, object, size FROM files WHERE (project, digest) > (?, ?)
     ORDER BY project, digest LIMIT ${STEP_FILES}`,
  )
  let last: Pick<FileRow, 'project' | 'digest'> = { project: -1, digest: new Uint8Array() }
  for (;;) {
    const rows = select.all(last.project, last.digest) as unknown as readonly FileRow[]
    yield* rows
    const end = rows.at(-1)
    if (end === undefined || rows.length < STEP_FILES) return
    last = end
  }
}

function countFiles(db: DatabaseSync): number {
  return (db.prepare('SELECT count(*) AS count FROM files').get() as { count: number }).count
}

function faultsIn(db: DatabaseSync): ReadonlySet<FileName> {
  return new Set(
    db
      .prepare(`SELECT object FROM ${LOST}`)
      .all()
      .map(({ object }) => object as FileName),
  )
}

function listLost(db: DatabaseSync): readonly LostFile[] {
  const rows = db
    .prepare(
      `SELECT f.object, f.digest, l.fault,
         (SELECT json_array(issue_row & ${2 ** 32 - 1}, name) FROM attachments
          WHERE issue_row >> 32 = f.project AND digest = f.digest AND received_at IS NOT NULL LIMIT 1) AS used_by
       FROM ${LOST} l JOIN files f ON f.project = l.project AND f.object = l.object ORDER BY f.project, f.object LIMIT ${MAX_LISTED}`,
    )
    .all()
  return rows.map((row) => {
    const { object, digest, fault, used_by: usedBy } = row as unknown as LostRow
    const [issueNumber, attachmentName] = usedBy === null ? [] : (JSON.parse(usedBy) as [number, string])
    return {
      name: object,
      sha256: Buffer.from(digest).toString('hex'),
      fault,
      usedBy:
        issueNumber === undefined || attachmentName === undefined ? null : { issueNumber, attachmentName },
    }
  })
}

interface LostRow extends FileRow {
  readonly fault: FileFault
  readonly used_by: string | null
}

function* chunksOf(db: DatabaseSync, name: FileName): Generator<Uint8Array> {
  const select = db.prepare(`SELECT bytes FROM ${BYTES} WHERE object = ? ORDER BY number`)
  for (const row of select.iterate(name)) yield row['bytes'] as Uint8Array
}

async function* toAsync(chunks: Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* chunks
}

function hasTable(db: DatabaseSync, name: string): boolean {
  return db.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(name) !== undefined
}

function isKnown(database: string, { project, object }: FileRow): boolean {
  using db = new DatabaseSync(database, { readOnly: true })
  return db.prepare('SELECT 1 FROM files WHERE project = ? AND object = ?').get(project, object) !== undefined
}

function forget(db: DatabaseSync, { project, digest, object, size }: FileRow): void {
  const received = 'issue_row >> 32 = ? AND digest = ? AND received_at IS NOT NULL'
  db.prepare(`UPDATE attachments SET received_at = NULL WHERE ${received}`).run(project, digest)
  db.prepare('DELETE FROM files WHERE project = ? AND object = ?').run(project, object)
  db.prepare('UPDATE projects SET file_bytes = file_bytes - ? WHERE seq = ?').run(size, project)
}
