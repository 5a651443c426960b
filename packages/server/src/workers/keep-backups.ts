import type { BackupStore, StoredBackup } from '../storage/ports/backups.ts'
import type { Storage } from '../storage/storage.ts'

/** The schedule of backups, as the settings and the metrics show it. */
export interface BackupSchedule {
  readonly place: string
  readonly everyMs: number
  /** The newest backup at the destination; `null` if there is none, or it is not known yet. */
  readonly latest: StoredBackup | null
  /** Why the last attempt failed; `null` if it did not. */
  readonly fault: string | null
  /** Makes a backup if one is due. */
  run(): Promise<void>
}

interface ScheduleOptions {
  readonly backups: BackupStore
  readonly storage: Storage
  readonly clock: () => number
  readonly everyMs: number
  /** How long to wait after a failure. */
  readonly retryMs: number
  /** After this time the destination is asked again. */
  readonly listMs: number
  /** The backup is good, but something about it needs attention. */
  readonly onWarning: (sentence: string) => void
}

/**
 * A backup is due when the newest one at the destination is old enough, whenever the server was started. The destination is asked, not
 * the database: a new destination makes one due at once, and a backup that was deleted as soon as the destination is asked again.
 */
export function createBackupSchedule(options: ScheduleOptions): BackupSchedule {
  const { backups, storage, clock, everyMs, retryMs, listMs, onWarning } = options
  let known: readonly StoredBackup[] | undefined
  let listedAt = Number.NEGATIVE_INFINITY
  let failedAt = Number.NEGATIVE_INFINITY
  let fault: string | null = null

  /** Backups from the future were made before the clock was set back. */
  function newest(now: number): StoredBackup | undefined {
    return known?.find(({ at }) => at <= now)
  }

  async function listKnown(now: number): Promise<readonly StoredBackup[]> {
    // The clock may have been set back.
    if (known !== undefined && Math.abs(now - listedAt) < listMs) return known
    known = await backups.list()
    listedAt = now
    return known
  }

  async function makeOneIfDue(now: number): Promise<void> {
    const found = await listKnown(now)
    const last = newest(now)
    if (last !== undefined && now - last.at < everyMs) return
    const { deleted, deletionFault, ...made } = await backups.make(now)
    known = [made, ...found.filter(({ name }) => !deleted.includes(name))]
    if (deletionFault !== null)
      onWarning(`old backups in ${backups.place} could not be deleted: ${deletionFault}`)
    if (!made.isWhole)
      onWarning('files of reports are missing or damaged, and not in the backup; run "bugle doctor"')
    await storage.actingAs('system', clock).auditLog.add({ action: 'data.backed_up', subjectName: made.name })
  }

  return {
    place: backups.place,
    everyMs,
    get latest() {
      return newest(clock()) ?? null
    },
    get fault() {
      return fault
    },
    async run() {
      const now = clock()
      if (now - failedAt < retryMs) return
      try {
        await makeOneIfDue(now)
        fault = null
        failedAt = Number.NEGATIVE_INFINITY
      } catch (error) {
        fault = error instanceof Error ? error.message : String(error)
        failedAt = now
        throw error
      }
    },
  }
}
