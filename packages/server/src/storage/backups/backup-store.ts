import type { FolderOrBucket } from '../../s3-url.ts'
import { removePart } from '../files/whole-files.ts'
import { BackupFailed, type BackupStore } from '../ports/backups.ts'
import { type RunningBackup, startBackup } from '../sqlite/threads/start-backup.ts'
import { newestFirst } from './backup-names.ts'
import { listBackups } from './make-backup.ts'
import { openDestination } from './open-destination.ts'
import { findSeries } from './series.ts'

interface BackupStoreOptions {
  /** The file of the database. */
  readonly path: string
  readonly isInFolder: boolean
  readonly place: FolderOrBucket
  readonly keep: number | null
}

/** The backups of a SQLite database that a server is using. */
export async function openBackupStore(options: BackupStoreOptions): Promise<BackupStore> {
  const { path, place } = options
  const destination = await openDestination(place)
  let running: RunningBackup | undefined

  return {
    place: destination.place,

    async list() {
      const series = findSeries(path)
      if (series === null) return []
      const found = await listBackups(destination, series).catch((error: Error) => {
        throw new BackupFailed(`${destination.place} cannot be read: ${error.message}`, {
          cause: error.cause,
        })
      })
      return newestFirst(found)
    },

    async make(at) {
      running = startBackup({ ...options, at })
      try {
        return await running.made
      } finally {
        running = undefined
      }
    },

    async close() {
      if (running === undefined) return
      const series = findSeries(path)
      await running.abort()
      if (series !== null) await removePart(destination.partOf(path, series))
    },
  }
}
