import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ProjectId } from '../src/model/ids.ts'
import type { TransferLine } from '../src/model/transfer/lines.ts'
import type { FileStore } from '../src/storage/files/file-store.ts'
import { createFolderStore } from '../src/storage/files/folder-store.ts'
import type { Storage } from '../src/storage/storage.ts'
import { exportFile } from '../src/transfer/export-file.ts'
import { importFile } from '../src/transfer/import-file.ts'

/** The whole export as text; without the bytes of files unless their store is passed. */
export async function exportText(
  storage: Storage,
  projectId: ProjectId | null = null,
  files: FileStore | null = null,
): Promise<string> {
  const parts: string[] = []
  await exportFile({ storage, files, projectId, write: async (text) => void parts.push(text) })
  return parts.join('')
}

interface ImportOptions {
  readonly isRestart?: boolean
  /** Default: the storage's own, or a folder next to the file. */
  readonly files?: FileStore
}

/** Imports a text through a file. */
export function importText(
  storage: Storage,
  path: string,
  text: string | Buffer,
  options: ImportOptions = {},
) {
  writeFileSync(path, text)
  const { isRestart = false, files = storage.ownFiles ?? createFolderStore(`${path}-files`) } = options
  return importFile({ storage, files, path, isRestart })
}

/** Finds the store of each storage: its own, or a folder in this one. */
export function fileStoresIn(folder: string): (storage: Storage) => FileStore {
  const stores = new Map<Storage, FileStore>()
  return (storage) => {
    const store =
      stores.get(storage) ?? storage.ownFiles ?? createFolderStore(join(folder, `files-${stores.size}`))
    stores.set(storage, store)
    return store
  }
}

/** The lines between header and trailer. */
export function linesOf(text: string): readonly TransferLine[] {
  const lines = text.trimEnd().split('\n')
  return lines.slice(1, -1).map((line) => JSON.parse(line) as TransferLine)
}

/** The text with changed, replaced or removed lines and a matching trailer, like a forged file. */
export function forge(
  text: string,
  change: (line: TransferLine) => object | readonly object[],
  isKept: (line: TransferLine) => boolean = () => true,
): string {
  const [header = '', ...rest] = text.trimEnd().split('\n')
  const trailer = JSON.parse(rest.at(-1) ?? '') as { readonly counts: Record<string, number> }
  const changed = linesOf(text).filter(isKept).flatMap(change)
  const body = `${[header, ...changed.map((line) => JSON.stringify(line))].join('\n')}\n`
  const counts = Object.fromEntries(Object.keys(trailer.counts).map((kind) => [kind, 0]))
  for (const line of changed) {
    const { record = '' } = line as { readonly record?: string }
    counts[record] = (counts[record] ?? 0) + 1
  }
  const sha256 = createHash('sha256').update(body).digest('hex')
  return `${body}${JSON.stringify({ ...trailer, counts, sha256 })}\n`
}
