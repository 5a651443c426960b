import { createHash } from 'node:crypto'
import { systemClock } from '../../clock.ts'
import {
  FileMissing,
  type FileName,
  type FileStore,
  FileStoreUnavailable,
} from '../../storage/files/file-store.ts'
import { openFileStore } from '../../storage/files/open-file-store.ts'
import type { FilePlace } from '../../storage/ports/attachments.ts'
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
}

export interface ComparedFiles {
  readonly known: readonly FilePlace[]
  /** Those of the database whose bytes are missing, damaged or unreadable. */
  readonly lost: readonly FilePlace[]
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
    const compare = () =>
      compareFiles({ storage, store, isBucket: bucket !== null }, progress.show).finally(progress.end)
    return use({ storage, store, compare })
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
  const stored = new Map<FileName, number>()
  const old: FileName[] = []
  for await (const { name, size, storedAt } of files.store.list()) {
    stored.set(name, size)
    if (now - storedAt > ORPHAN_AGE_MS) old.push(name)
  }
  const known = await listAll(attachments)
  const lost: FilePlace[] = []
  for (const [done, file] of known.entries()) {
    if (done % STEP === 0) onProgress(done, known.length)
    if (stored.get(file.name) === file.size && (files.isBucket || (await isWhole(file, files.store))))
      continue
    // It may have been deleted since the list was read.
    if (await isKnown(attachments, file)) lost.push(file)
  }
  onProgress(known.length, known.length)
  const orphans = await attachments.findOrphans(old)
  const knownNames = new Set(known.map(({ name }) => name))
  const otherCount = old.filter((name) => !knownNames.has(name)).length - orphans.length
  return { known, lost, orphanCount: orphans.length, otherCount }
}

async function listAll(attachments: Storage['attachments']): Promise<readonly FilePlace[]> {
  const all: FilePlace[] = []
  for (;;) {
    const some = await attachments.listFiles(all.at(-1) ?? null, STEP)
    all.push(...some)
    if (some.length < STEP) return all
  }
}

async function isWhole({ name, size, sha256 }: FilePlace, store: FileStore): Promise<boolean> {
  const hash = createHash('sha256')
  try {
    for await (const bytes of store.read(name, { start: 0, end: size - 1 })) hash.update(bytes)
    return hash.digest('hex') === sha256
  } catch (error) {
    if (error instanceof FileMissing || error instanceof FileStoreUnavailable) return false
    throw error
  }
}

async function isKnown(attachments: Storage['attachments'], file: FilePlace): Promise<boolean> {
  const before = { ...file, name: file.name.slice(0, -1) as FileName }
  const [found] = await attachments.listFiles(before, 1)
  return found?.name === file.name
}
