import type { FileStore } from '../storage/files/file-store.ts'
import type { Storage } from '../storage/storage.ts'
import type { ImportProgress } from '../storage/transfer.ts'
import type { FileSummary } from './file-format.ts'
import { FileRefused } from './file-refused.ts'
import { type Admitted, createAdmittedList } from './list-admitted.ts'
import { readExport } from './read-export.ts'
import { refuseClash } from './refuse-clash.ts'
import { createBatches } from './store-batches.ts'

interface ImportOptions {
  readonly storage: Pick<Storage, 'projects' | 'keys' | 'users' | 'transfer'>
  /** Where the files of reports are kept. */
  readonly files: FileStore
  readonly path: string
  /** Discards what an unfinished import of any file has stored. */
  readonly isRestart: boolean
  /** The result of {@link checkFile}, if the file has been checked already. */
  readonly checked?: FileSummary | undefined
  onProgress?(stage: 'checking' | 'importing', bytesRead: number): void
}

export interface ImportSummary extends FileSummary, Admitted {
  /** The line after which it resumed; 0 if it was not interrupted before. */
  readonly resumedAfter: number
}

/**
 * Stores an export, and activates it once it is complete. The file is read twice, so that nothing is stored
 * from an incomplete file. What was stored before an interruption is not stored again.
 */
export async function importFile(options: ImportOptions): Promise<ImportSummary> {
  const { storage, files, path, onProgress } = options
  const checked = options.checked ?? (await checkFile(options))
  const progress = await begin(options, checked.sha256)
  await using batches = createBatches({ transfer: storage.transfer, files }, progress)
  const list = createAdmittedList()
  const stored = await readExport(path, async (lines, bytesRead) => {
    await batches.take(lines)
    list.take(lines)
    onProgress?.('importing', bytesRead)
  })
  if (stored.sha256 !== checked.sha256)
    throw new FileRefused('it changed while it was being read. Import it again, with --restart.')
  await batches.finish()
  return { ...stored, ...list.admitted, resumedAfter: progress.line }
}

/** Reads the whole file and refuses it if anything is wrong. Without a storage, it is not compared with what is stored. */
export async function checkFile({
  path,
  storage,
  onProgress,
}: Pick<ImportOptions, 'path' | 'onProgress'> &
  Partial<Pick<ImportOptions, 'storage'>>): Promise<FileSummary> {
  return readExport(path, async (lines, bytesRead) => {
    if (storage !== undefined) for (const placed of lines) await refuseClash(storage, placed)
    onProgress?.('checking', bytesRead)
  })
}

async function begin({ storage, isRestart }: ImportOptions, digest: string): Promise<ImportProgress> {
  if (isRestart) while (await storage.transfer.discardSome());
  const progress = await storage.transfer.beginImport(digest)
  if (progress.digest === digest) return progress
  throw new FileRefused(
    'the database has an unfinished import of another file. Import that file again to continue, or add --restart to discard what it has stored.',
  )
}
