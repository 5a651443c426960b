/** How often a running server runs its background jobs, in milliseconds. Tests run them more often so that they need not wait. */
export interface Intervals {
  /** A change to a project, key or person by another process takes effect within twice this time. */
  readonly catalogRefresh: number
  /** Refused submissions are counted. */
  readonly intakeFlush: number
  /** Nodes that share a database count each other. */
  readonly nodeBeat: number
  /** The last use of keys and sessions is recorded. */
  readonly usageFlush: number
  /** The clock of this machine is compared with that of the database. */
  readonly clockCheck: number
  readonly retention: number
  /** Remaining rows of deleted issues are removed. They are invisible at once. */
  readonly removal: number
  /** The store is searched for files of interrupted uploads. */
  readonly sweep: number
  /** Whether a scheduled backup is due. */
  readonly backup: number
  /** After a scheduled backup has failed. */
  readonly backupRetry: number
  /** The destination of scheduled backups is asked which ones it has. */
  readonly backupList: number
}

export const INTERVALS: Intervals = {
  catalogRefresh: 500,
  intakeFlush: 1_000,
  nodeBeat: 1_000,
  usageFlush: 30_000,
  clockCheck: 30_000,
  retention: 600_000,
  removal: 1_000,
  sweep: 3_600_000,
  backup: 60_000,
  backupRetry: 900_000,
  backupList: 3_600_000,
}
