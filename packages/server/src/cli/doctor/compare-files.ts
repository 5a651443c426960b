import { createHash } from 'node:crypto'
import { systemClock } from '../../clock.ts'
import {
  FileMissing,
  type FileName,
  type FileStore,
  FileStoreUnavailable,
  projectNumberIn,
} from '../../storage/files/file-store.ts'
import { openFileStore } from '../../storage/files/open-file-store.ts'
import type { OnProgress } from '../../storage/inspection.ts'
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
  /** The files of the database. */
  readonly count: number
  readonly bytes: number
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

/** Compares in steps: what is kept in memory does not grow with the files, except for those of a bucket and those with a fault. */
async function compareFiles(files: Compared, onProgress: OnProgress): Promise<ComparedFiles> {
  const { attachments } = files.storage
  const stored = await listStored(files)
  const totalBytes = await attachments.totalBytes()
  const found = {
    ...{ count: 0, bytes: 0 },
    ...{ lost: [] as ListedFile[], unreadable: [] as ListedFile[], repaired: [] as ListedFile[] },
  }
  const knownProjects = new Set<number>()
  for await (const file of listKnown(attachments)) {
    onProgress(found.bytes, totalBytes)
    found.count++
    found.bytes += file.size
    knownProjects.add(projectNumberIn(file.name))
    const isListed = stored.sizes.get(file.name) === file.size
    const fault = isListed && !readsBytes(file, files) ? null : await examine(file, files)
    if (fault === null) {
      if (file.isDamaged) found.repaired.push(file)
      continue
    }
    // It may have been deleted since the list was read.
    if (await isKnown(attachments, file)) (fault === 'unreadable' ? found.unreadable : found.lost).push(file)
  }
  onProgress(totalBytes, totalBytes)
  const others = Array.from(stored.others, ([project, count]) => (knownProjects.has(project) ? 0 : count))
  return {
    ...found,
    orphanCount: stored.orphanCount,
    otherCount: others.reduce((sum, count) => sum + count, 0),
  }
}

interface Stored {
  /** Only of a bucket. */
  readonly sizes: ReadonlyMap<FileName, number>
  readonly orphanCount: number
  /** The number of older files that are not orphans, by the number of their project. */
  readonly others: ReadonlyMap<number, number>
}

async function listStored({ storage: { attachments }, store, isBucket }: Compared): Promise<Stored> {
  const oldest = systemClock() - ORPHAN_AGE_MS
  const sizes = new Map<FileName, number>()
  const others = new Map<number, number>()
  let orphanCount = 0
  let old: FileName[] = []
  const sort = async () => {
    const orphans = new Set(await attachments.findOrphans(old))
    orphanCount += orphans.size
    for (const project of old.filter((name) => !orphans.has(name)).map(projectNumberIn))
      others.set(project, (others.get(project) ?? 0) + 1)
    old = []
  }
  for await (const { name, size, storedAt } of store.list()) {
    if (isBucket) sizes.set(name, size)
    if (storedAt < oldest && old.push(name) === STEP) await sort()
  }
  await sort()
  return { sizes, orphanCount, others }
}

async function* listKnown(attachments: Storage['attachments']): AsyncGenerator<ListedFile> {
  let last: ListedFile | null = null
  for (;;) {
    const some: readonly ListedFile[] = await attachments.listFiles(last, STEP)
    yield* some
    last = some.at(-1) ?? null
    if (some.length < STEP) return
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
