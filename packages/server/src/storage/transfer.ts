import type { ProjectId } from '../model/ids.ts'
import type { TransferLine } from '../model/transfer/lines.ts'

/** Everything that is stored, read as lines of a file and stored from them. */
export interface TransferStorage {
  /** Reads everything, or one project, as of one moment, however long it takes and whatever is written meanwhile. */
  snapshot<T>(projectId: ProjectId | null, work: (snapshot: TransferSnapshot) => Promise<T>): Promise<T>
  /** The unfinished import: of this file, begun here and now if there is none. */
  beginImport(digest: string): Promise<ImportProgress>
  /** Stores lines that nobody sees before the import is finished. Answers `overtaken` and stores nothing if somebody else is at it. */
  storeLines(batch: ImportBatch): Promise<'stored' | 'overtaken'>
  /** Stores the last lines, and puts everything into service at once. */
  finishImport(batch: ImportBatch): Promise<'finished' | 'overtaken' | { readonly takenSlug: string }>
  /** Gives up an unfinished import and removes what it has stored, a step at a time; false when there is nothing left. */
  discardSome(): Promise<boolean>
}

export interface TransferSnapshot {
  /** The issue numbers and event positions there are to go through: roughly how long it takes. */
  readonly extent: number
  /** In the order of the file, some at a time. */
  lines(): AsyncIterable<readonly TransferLine[]>
}

/** How far an import has got. */
export interface ImportProgress {
  /** Of the file. */
  readonly digest: string
  /** The last line that is stored; 0: none. */
  readonly line: number
}

/** Lines of one project, or of none, that are stored together with how far that is. */
export interface ImportBatch {
  readonly from: ImportProgress
  readonly toLine: number
  readonly projectId: ProjectId | null
  readonly lines: readonly TransferLine[]
}
