import { createHash } from 'node:crypto'
import { systemClock } from '../../clock.ts'
import {
  FileMissing,
  type FileName,
  type FileStore,
  FileStoreUnavailable,
} from '../../storage/files/file-store.ts'
import { openFileStore } from '../../storage/files/open-file-store.ts'
import type { ListedFile } from '../../storage/ports/attachments.ts'
import type { Storage } from '../../storage/storage.ts'
import type { CommandContext } from '../command.ts'
import { progressOf } from '../terminal/progress.ts'

const STEP = 500
/** An upload in progress may have stored its file shortly before it is recorded in the database. */
const ORPHAN_AGE_MS = 7_200_000

/** The database, the store of its files, and a function that compares them. */
export interface Files {
  readonly storage: Storage
  readonly store: FileStore
  compare(): Promise<ComparedFiles>
  /** Asks the store for one file; `null` if it is whole. */
  examine(file: ListedFile): Promise<FileFault | null>
}

/** An unreadable file may be whole: its store cannot say at the moment. */
export type FileFault = 'missing' | 'damaged' | 'unreadable'

export interface ComparedFiles {
  readonly known: readonly ListedFile[]
  /** Those of the database whose bytes are missing or damaged. */
  readonly lost: readonly ListedFile[]
  readonly unreadable: readonly ListedFile[]
  /** Those that were recorded as damaged, and are whole. */
  readonly repaired: readonly ListedFile[]
  /** Files of projects of this database that belong to no report. */
  readonly orphanCount: number
  /** Files of projects that this database never had. */
  readonly otherCount: number
}

/** Opens the database and the store of its files. */
export async function withFiles<T>(
  { config, terminal, withStorage }: CommandContext,
  use: (files: Files) => Promise<T>,
): Promise<T> {
  return withStorage(async (storage) => {
    const { databaseUrl, attachmentsBucket: bucket } = config
    const store = await openFileStore({ databaseUrl, bucket, storage })
    const progress = progressOf(terminal, 'Files')
    const compared = { storage, store, isBucket: bucket !== null }
    const compare = () => compareFiles(compared, progress.show).finally(progress.end)
    return use({ storage, store, compare, examine: (file) => examine(file, compared) })
  })
}

interface Compared extends Pick<Files, 'storage' | 'store'> {
  /** Then only names and sizes are compared: a bucket verifies its own bytes, and reading them costs money. */
  readonly isBucket: boolean
}

async function compareFiles(
  files: Compared,
  onProgress: (done: number, total: number) => void,
): Promise<ComparedFiles> {
  const { attachments } = files.storage
  const now = systemClock()
  // Before the store: a file is stored before it is recorded, so one that arrives in between is in both lists or only in the store.
  const known = await listAll(attachments)
  const stored = new Map<FileName, number>()
  const old: FileName[] = []
  for await (const { name, size, storedAt } of files.store.list()) {
    stored.set(name, size)
    if (now - storedAt > ORPHAN_AGE_MS) old.push(name)
  }
  const lost: ListedFile[] = []
  const unreadable: ListedFile[] = []
  const repaired: ListedFile[] = []
  for (const [done, file] of known.entries()) {
    if (done % STEP === 0) onProgress(done, known.length)
    const isListed = stored.get(file.name) === file.size
    const fault = isListed && !readsBytes(file, files) ? null : await examine(file, files)
    if (fault === null) {
      if (file.isDamaged) repaired.push(file)
      continue
    }
    // It may have been deleted since the list was read.
    if (await isKnown(attachments, file)) (fault === 'unreadable' ? unreadable : lost).push(file)
  }
  onProgress(known.length, known.length)
  const orphans = await attachments.findOrphans(old)
  const knownNames = new Set(known.map(({ name }) => name))
  const otherCount = old.filter((name) => !knownNames.has(name)).length - orphans.length
  return { known, lost, unreadable, repaired, orphanCount: orphans.length, otherCount }
}

async function listAll(attachments: Storage['attachments']): Promise<readonly ListedFile[]> {
  const all: ListedFile[] = []
  for (;;) {
    const some = await attachments.listFiles(all.at(-1) ?? null, STEP)
    all.push(...some)
    if (some.length < STEP) return all
  }
}

/** A file that a download has found damaged is read everywhere. */
function readsBytes({ isDamaged }: ListedFile, { isBucket }: Compared): boolean {
  return isDamaged || !isBucket
}

async function examine(file: ListedFile, files: Compared): Promise<FileFault | null> {
  const { name, size, sha256 } = file
  try {
    if (
      readsBytes(file, files) &&
      (await digestOf(files.store.read(name, { start: 0, end: size - 1 }))) !== sha256
    )
      return 'damaged'
    return (await files.store.size(name)) === size ? null : 'damaged'
  } catch (error) {
    if (error instanceof FileMissing) return 'missing'
    if (error instanceof FileStoreUnavailable) return 'unreadable'
    throw error
  }
}

async function digestOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256')
  for await (const bytes of chunks) hash.update(bytes)
  return hash.digest('hex')
}

async function isKnown(attachments: Storage['attachments'], file: ListedFile): Promise<boolean> {
  const before = { ...file, name: file.name.slice(0, -1) as FileName }
  const [found] = await attachments.listFiles(before, 1)
  return found?.name === file.name
}
