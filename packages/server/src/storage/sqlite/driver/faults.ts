import { StorageUnavailable } from '../../storage.ts'

const FULL = 13
const LOCKED = 'Another process keeps the database locked.'
/** What SQLite's result codes for external faults mean. */
const EXTERNAL_FAULTS: ReadonlyMap<number, string> = new Map([
  [5, LOCKED],
  [6, LOCKED],
  [8, 'The file of the database is read-only.'],
  [10, 'The disk of the database reports errors.'],
  [FULL, 'The disk of the database is full.'],
  [14, 'The file of the database cannot be opened.'],
])

/** The external fault that an error reports; a retry may succeed later. `null`: it is a bug, or damage. */
export function externalFaultOf(error: unknown): string | null {
  if (error instanceof StorageUnavailable) return error.message
  if (!(error instanceof Error && 'errcode' in error)) return null
  return EXTERNAL_FAULTS.get(Number(error.errcode) & 0xff) ?? null
}

/** Whether a retry may succeed later, for example if the disk is full or the database is locked. */
export function isTransient(error: unknown): boolean {
  return externalFaultOf(error) !== null
}

/** What SQLite reports; `null` if the error is not SQLite's. */
export function reportOf(error: unknown): string | null {
  return error instanceof Error && 'errcode' in error ? error.message : null
}

/** An error that SQLite reported in another thread, in the form of an error of this thread. */
export class SqliteReport extends Error {
  override readonly name = 'SqliteReport'
  readonly code = 'ERR_SQLITE_ERROR'
}

/**
 * SQLite's result codes for a table that is missing, one whose pages claim impossible lengths (out of memory, too big), one
 * that is damaged, and one whose parts contradict each other.
 */
const INDEX_RESULT_CODES: ReadonlySet<number> = new Set([1, 7, 11, 18, 19])

/** Whether a statement on the full-text index may have failed because the index is damaged or missing. */
export function isIndexFault(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && INDEX_RESULT_CODES.has(Number(error.errcode) & 0xff)
}

/** The error of SQLite for a full disk. */
export class StorageFull extends Error {
  override readonly name = 'StorageFull'
  readonly errcode = FULL
}

/** SQLite's extended result code for a primary key that exists. */
const PRIMARY_KEY_TAKEN = 1555

/** Whether a row could not be inserted because its primary key exists. */
export function isTaken(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === PRIMARY_KEY_TAKEN
}
