/** Looks at a database without changing it, and without bringing it to this release's schema. */
export interface Inspection extends AsyncDisposable {
  readonly schema: { readonly found: number; readonly known: number }
  /** What the database itself finds wrong with its files. */
  listDamage(): Promise<readonly string[]>
  /** Counts everything anew, as of one moment. */
  audit(): Promise<Audit>
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
