import type { AttachmentRecord, DamageFinding } from '../../model/reports/attachments.ts'
import {
  type ByteRange,
  FileMissing,
  type FileName,
  type FileStore,
  FileStoreUnavailable,
} from '../../storage/files/file-store.ts'
import type { AttachmentStorage } from '../../storage/ports/attachments.ts'
import { DomainError, notFound } from '../domain-error.ts'
import { checkBytes, WrongBytes } from './checked-bytes.ts'
import { startReading } from './start-reading.ts'

export type ReceivedAttachment = AttachmentRecord & { readonly file: FileName }

/** Called once for each change of a file's state. */
export type OnDamage = (attachment: ReceivedAttachment, isDamaged: boolean) => void

interface Dependencies {
  readonly store: Pick<FileStore, 'size' | 'read'>
  readonly storage: { readonly attachments: Pick<AttachmentStorage, 'find' | 'noteDamage'> }
  readonly onDamage: OnDamage
  /** What was found could not be recorded. */
  readonly onNoteFault: (error: unknown) => void
}

/** Reads the bytes of a received file. Fails before the first chunk if the store cannot be read, or has other bytes. */
export type ReadStoredBytes = (
  place: Pick<DamageFinding, 'projectId'>,
  attachment: ReceivedAttachment,
  range: ByteRange,
) => Promise<AsyncIterable<Uint8Array>>

/**
 * Verifies what it reads. The size is checked before the first chunk, the digest of a whole file before the last one: a
 * response that ends has the bytes that were received. What is found is recorded, so that the file is shown as damaged.
 */
export function createStoredBytes({ store, storage, onDamage, onNoteFault }: Dependencies): ReadStoredBytes {
  return async ({ projectId }, attachment, range) => {
    const { id, file, size, sha256 } = attachment

    /** Never fails: a database that refuses writes must not change the response. */
    async function note(isDamaged: boolean): Promise<void> {
      if (isDamaged === attachment.isDamaged) return
      try {
        const isNews = await storage.attachments.noteDamage({ projectId, sha256, file, isDamaged })
        if (isNews) onDamage(attachment, isDamaged)
      } catch (error) {
        onNoteFault(error)
      }
    }

    async function fail(): Promise<DomainError> {
      // It may have been removed after it was looked up.
      const current = await storage.attachments.find(projectId, id)
      if (current?.file !== file) return notFound()
      await note(true)
      return new DomainError('file-damaged', {
        detail: 'The stored bytes of this file are missing or damaged. Restore them from a backup.',
      })
    }

    async function* verified(): AsyncGenerator<Uint8Array> {
      try {
        yield* checkBytes(store.read(file, range), { size, sha256 }).bytes
      } catch (error) {
        throw error instanceof WrongBytes || error instanceof FileMissing ? await fail() : error
      }
      await note(false)
    }

    const found = await store.size(file).catch((error: unknown) => {
      if (error instanceof FileMissing) return null
      throw toDomainError(error)
    })
    if (found !== size) throw await fail()
    const isWhole = range.end - range.start + 1 === size
    return startReading(isWhole ? verified() : store.read(file, range)).catch((error: unknown) => {
      throw toDomainError(error)
    })
  }
}

function toDomainError(error: unknown): unknown {
  // Part of a file that was removed in the meantime.
  if (error instanceof FileMissing) return notFound()
  if (!(error instanceof FileStoreUnavailable)) return error
  return new DomainError('unavailable', {
    detail: 'The file cannot be read right now. Try again later.',
    cause: error,
  })
}
