import { stat } from 'node:fs/promises'
import type { FolderOrBucket } from '../../s3-url.ts'
import { addFiles, checkBackup, copyDatabase, findBackupRoomFault } from '../backups.ts'
import { removePart, writeWhole } from '../files/whole-files.ts'
import { BackupFailed, type MadeBackup, type StoredBackup } from '../ports/backups.ts'
import { backupName, noLongerKept, readBackupName, type Series } from './backup-names.ts'
import type { Destination } from './destination.ts'
import { openDestination } from './open-destination.ts'
import { requireSeries } from './series.ts'

/** What a backup needs to know. It is sent to another process, so it is plain data. */
export interface BackupOrder {
  readonly path: string
  /** Whether files are next to the database; otherwise they are in a bucket, which has its own backups. */
  readonly isInFolder: boolean
  readonly place: FolderOrBucket
  readonly at: number
  /** How many are kept; `null`: all. */
  readonly keep: number | null
}

/** Backs up a database that others may be using, checks the copy, and puts it in place. */
export async function makeBackup({ path, isInFolder, place, at, keep }: BackupOrder): Promise<MadeBackup> {
  const destination = await openDestination(place)
  const series = requireSeries(path)
  const part = destination.partOf(path, series)
  const made = await writeWhole(
    part,
    async () => {
      const fault = await findBackupRoomFault({ path, part, isInFolder })
      if (fault !== undefined) throw new BackupFailed(fault)
      await copyDatabase(path, part, ignore)
      if (isInFolder) await addFiles(path, part, ignore)
      const { lostCount } = await checkBackup(part)
      const isWhole = lostCount === 0
      const { size: bytes } = await stat(part)
      return { name: backupName(series, { at, isWhole }), at, bytes, isWhole }
    },
    ({ name }) => destination.put(part, name),
  )
  // A bucket has a copy of it.
  await removePart(part)
  return { ...made, ...(await deleteOld(destination, series, made, keep)) }
}

/** The backups of a series, in no particular order. */
export async function listBackups(
  destination: Destination,
  series: Series,
): Promise<readonly StoredBackup[]> {
  return (await destination.list()).flatMap(({ name, bytes }) => {
    const found = readBackupName(series, name)
    return found === undefined ? [] : [{ ...found, bytes }]
  })
}

/** The backup is good even if this fails. */
async function deleteOld(
  destination: Destination,
  series: Series,
  made: StoredBackup,
  keep: number | null,
): Promise<Pick<MadeBackup, 'deleted' | 'deletionFault'>> {
  const deleted: string[] = []
  if (keep === null) return { deleted, deletionFault: null }
  try {
    for (const { name } of noLongerKept(await listBackups(destination, series), made, keep)) {
      await destination.remove(name)
      deleted.push(name)
    }
    return { deleted, deletionFault: null }
  } catch (error) {
    return { deleted, deletionFault: error instanceof Error ? error.message : String(error) }
  }
}

function ignore(): void {}
