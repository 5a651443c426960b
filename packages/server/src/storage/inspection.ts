/** Looks at a database without changing it, and without bringing it to this release's schema. */
export interface Inspection extends AsyncDisposable {
  readonly schema: { readonly found: number; readonly known: number }
  /** What the database itself finds wrong with its files, apart from the full-text index. */
  listDamage(): Promise<readonly string[]>
  /** What the database finds wrong with the full-text index, which can be built anew from the issues. Reads everything. */
  listSearchDamage(): Promise<readonly string[]>
  /** Whether the full-text index is known not to work: why, or `null`. */
  findSearchFault(): Promise<string | null>
  /** Counts everything anew, as of one moment. */
  audit(): Promise<Audit>
  /** Tables and indexes of its schema version that are not there. */
  listMissing(): Promise<readonly string[]>
  /** Issues that searches have to look at one by one, because the full-text index has not caught up. */
  countUnindexed(): Promise<number>
  /** `null`: there is none. */
  findNewestEventTime(): Promise<number | null>
  measureSize(): Promise<DatabaseSize>
  /** How far the clock of the database is ahead of ours. */
  measureClockLead(): Promise<number>
  /** Writes for a second or two what nobody keeps. */
  measureWrites(): Promise<WriteRates>
}

export interface DatabaseSize {
  readonly bytes: number
  /** Of the log that is not in the database yet; `null` where that is no business of ours. */
  readonly logBytes: number | null
  /** `null`: it does not tell. */
  readonly freeBytes: number | null
}

/** Durable writes in a second, of about a report's size. */
export interface WriteRates {
  /** Each in a commit of its own. */
  readonly oneByOne: number
  /** Some in each commit, as under load. */
  readonly together: number
}

/** What a recount came to. */
export interface Audit {
  readonly counts: StoredCounts
  /** What does not agree, in words. */
  readonly faults: readonly string[]
}

export interface StoredCounts {
  readonly projects: number
  readonly issues: number
  /** Each issue is one, and whatever joined it. */
  readonly reports: number
  readonly events: number
}
