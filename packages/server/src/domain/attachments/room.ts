import type { ProjectId } from '../../model/ids.ts'
import type { Declaration } from '../../model/reports/attachments.ts'
import type { FileStore } from '../../storage/files/file-store.ts'
import { DomainError } from '../domain-error.ts'
import { type AttachmentLimits, reserveOf } from './attachment-limits.ts'

/** After how many seconds there may be space again. */
const RETRY_FULL_SECONDS = 300

/** The space for files: what the project may store, and what the disk has. */
export interface Room {
  /**
   * Reserves space for a file, next to all uploads in progress. Throws `insufficient-storage` if there is none. The
   * returned function ends the reservation.
   */
  reserve(file: FileToStore): Promise<() => void>
}

interface FileToStore extends Pick<Declaration, 'projectId' | 'projectBytes'> {
  readonly attachment: { readonly size: number }
}

interface RoomDependencies {
  readonly store: Pick<FileStore, 'space'>
  readonly limits: Pick<AttachmentLimits, 'project'>
}

export function createRoom({ store, limits }: RoomDependencies): Room {
  const reservedBy = new Map<ProjectId, number>()
  let reserved = 0

  function add(projectId: ProjectId, bytes: number): void {
    const own = (reservedBy.get(projectId) ?? 0) + bytes
    if (own === 0) reservedBy.delete(projectId)
    else reservedBy.set(projectId, own)
    reserved += bytes
  }

  return {
    /** Whether the project has the bytes already makes no difference: the sender may not be allowed to know. */
    async reserve({ projectId, projectBytes, attachment: { size } }) {
      const space = await store.space()
      if (projectBytes + (reservedBy.get(projectId) ?? 0) + size > limits.project) throw projectFull()
      if (space !== null && space.freeBytes - reserved - size < reserveOf(space.totalBytes)) {
        throw noRoom('The disk for files is almost full.')
      }
      add(projectId, size)
      return () => add(projectId, -size)
    },
  }
}

export function projectFull(): DomainError {
  return noRoom('The project has reached its limit for files.')
}

export function noRoom(detail: string): DomainError {
  return new DomainError('insufficient-storage', { detail, retryAfterSeconds: RETRY_FULL_SECONDS })
}
