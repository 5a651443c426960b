import { randomBytes } from 'node:crypto'
import { type ProjectId, projectNumberOf } from '../../model/ids.ts'

/** Names a stored file: the random number of its project, and an id that is never used twice. */
export type FileName = `${number}/${string}`

export interface ByteRange {
  readonly start: number
  /** The last byte, included. */
  readonly end: number
}

export interface StoredFile {
  readonly name: FileName
  readonly size: number
  /** In milliseconds. */
  readonly storedAt: number
}

export interface NewFile {
  readonly name: FileName
  readonly size: number
  /** In hexadecimal. The stream of bytes must verify it, and fail before its end if they differ. `null`: it is known only after the last byte. */
  readonly sha256: string | null
}

/** THE PORT OF FILES: stores the bytes of attachments. The database determines which of them are visible. */
export interface FileStore {
  /** Where files are kept, for people; without credentials. */
  readonly place: string
  /** Resolves once the file is durable. If the bytes fail, or the process is killed, {@link FileStore.read} finds nothing. */
  put(file: NewFile, bytes: AsyncIterable<Uint8Array>): Promise<void>
  /** The size of a stored file. Fails with {@link FileMissing} if there is none. */
  size(name: FileName): Promise<number>
  /** Fails with {@link FileMissing} before the first chunk if there is no such file. */
  read(name: FileName, range: ByteRange): AsyncIterable<Uint8Array>
  /** Succeeds if there is no such file. */
  remove(name: FileName): Promise<void>
  /** Every stored file, in no particular order. */
  list(): AsyncIterable<StoredFile>
  /** Removes files that interrupted uploads left before this time; returns their number. */
  removeUnfinished(before: number): Promise<number>
  /** The space on its disk; `null` if it cannot be known. */
  space(): Promise<DiskSpace | null>
  close(): Promise<void>
}

export interface DiskSpace {
  readonly freeBytes: number
  readonly totalBytes: number
}

/** The store has no such file. */
export class FileMissing extends Error {
  override readonly name = 'FileMissing'
}

/** The store cannot be used at the moment. */
export class FileStoreUnavailable extends Error {
  override readonly name = 'FileStoreUnavailable'
}

/** The store has no space for the file. */
export class FileStoreFull extends Error {
  override readonly name = 'FileStoreFull'
}

const FILE_NAME = /^\d{1,10}\/[0-9a-f]{32}$/

export function isFileName(text: string): text is FileName {
  return FILE_NAME.test(text)
}

/** A name that was never used before. */
export function mintFileName(projectId: ProjectId): FileName {
  return `${projectNumberOf(projectId)}/${randomBytes(16).toString('hex')}`
}

/** The number of the project of a file. */
export function projectNumberIn(name: FileName): number {
  return Number(name.slice(0, name.indexOf('/')))
}
