import type { ProjectId } from '../model/ids.ts'
import type { TransferLine } from '../model/transfer/lines.ts'
import type { FileName } from './files/file-store.ts'

/** Reads all stored data as lines of a file, and stores such lines. */
export interface TransferStorage {
  /** Reads everything, or one project, from one snapshot. */
  snapshot<T>(projectId: ProjectId | null, work: (snapshot: TransferSnapshot) => Promise<T>): Promise<T>
  /** The unfinished import; starts one for this file if there is none. */
  beginImport(digest: string): Promise<ImportProgress>
  /** Stores lines that are invisible until the import is finished. Returns `overtaken` and stores nothing if another import is running. */
  storeLines(batch: ImportBatch): Promise<'stored' | 'overtaken'>
  /** Stores the last lines, and activates everything at once. */
  finishImport(batch: ImportBatch): Promise<'finished' | 'overtaken' | { readonly takenSlug: string }>
  /** Discards an unfinished import and deletes its rows in steps; false when there are none left. */
  discardSome(): Promise<boolean>
}

export interface TransferSnapshot {
  /** The number of issue numbers and event positions to read, as an estimate of the work. */
  readonly extent: number
  /** The size of all files of reports. */
  readonly fileBytes: number
  /** In the order of the file, some at a time. */
  lines(): AsyncIterable<readonly TransferLine[]>
}

/** The progress of an import. */
export interface ImportProgress {
  /** The checksum of the file. */
  readonly digest: string
  /** The last line that is stored; 0: none. */
  readonly line: number
}

/** Lines of one project, or of none, that are stored together with the progress. */
export interface ImportBatch {
  readonly from: ImportProgress
  readonly toLine: number
  readonly projectId: ProjectId | null
  readonly lines: readonly TransferLine[]
  /** The names in the store of the files in `lines`, by digest. */
  readonly fileNames: ReadonlyMap<string, FileName>
}
