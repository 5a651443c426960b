/** A backup at its destination. It is complete: its name appears when everything in it has been checked. */
export interface StoredBackup {
  readonly name: string
  /** When it was started, in milliseconds. */
  readonly at: number
  readonly bytes: number
  /** False if files of reports were missing or damaged, and are therefore not in it. */
  readonly isWhole: boolean
}

export interface MadeBackup extends StoredBackup {
  /** Backups that are no longer kept, and were deleted. */
  readonly deleted: readonly string[]
  /** Why no longer kept backups could not be deleted; `null` if they could. */
  readonly deletionFault: string | null
}

/** There is no new backup, or the destination cannot be used. The message explains why, for people. */
export class BackupFailed extends Error {
  override readonly name = 'BackupFailed'
}

/** The backups of a database at their destination. Everything that it does fails with {@link BackupFailed}. */
export interface BackupStore {
  /** For people; without credentials. */
  readonly place: string
  /** Those that this database has made, newest first. */
  list(): Promise<readonly StoredBackup[]>
  /** Makes one, checks it, puts it in place, and deletes those that are no longer kept. It runs in a process of its own. */
  make(at: number): Promise<MadeBackup>
  /** Ends a backup in progress, and removes what is left of it. */
  close(): Promise<void>
}
