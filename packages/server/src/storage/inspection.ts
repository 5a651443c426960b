/** Inspects a database without changing or migrating it. */
export interface Inspection extends AsyncDisposable {
  /** `fault`: why this release cannot use the database as it is. */
  readonly schema: { readonly found: number; readonly known: number; readonly fault: string | null }
  /** The faults that the database finds in its files, except for the full-text index. */
  listDamage(): Promise<readonly string[]>
  /** The faults that the database finds in the full-text index, which can be rebuilt from the issues. Reads everything. */
  listSearchDamage(): Promise<readonly string[]>
  /** Whether the full-text index is known not to work: why, or `null`. */
  findSearchFault(): Promise<string | null>
  /** Recounts everything in one snapshot. */
  audit(onProgress?: OnProgress): Promise<Audit>
  /** Tables and indexes of its schema version that are missing. */
  listMissing(): Promise<readonly string[]>
  /** The number of issues that searches have to examine one by one, because the full-text index has not caught up. */
  countUnindexed(): Promise<number>
  /** `null`: there is none. */
  findNewestEventTime(): Promise<number | null>
  measureSize(): Promise<DatabaseSize>
  /** How far the clock of the database is ahead of ours. */
  measureClockLead(): Promise<number>
  /** Measures writes for a second or two, with data that is discarded. */
  measureWrites(): Promise<WriteRates>
}

export type OnProgress = (done: number, total: number) => void

export interface DatabaseSize {
  readonly bytes: number
  /** The size of the log that is not in the database file yet; `null` on PostgreSQL. */
  readonly logBytes: number | null
  /** `null`: unknown. */
  readonly freeBytes: number | null
}

/** Durable writes per second, of about the size of a report. */
export interface WriteRates {
  /** Each in its own commit. */
  readonly oneByOne: number
  /** Some in each commit, as under load. */
  readonly together: number
}

/** The result of a recount. */
export interface Audit {
  readonly counts: StoredCounts
  /** Descriptions of the differences. */
  readonly faults: readonly string[]
}

export interface StoredCounts {
  readonly projects: number
  readonly issues: number
  /** Including the first report of each issue. */
  readonly reports: number
  readonly events: number
}
