/** How often a running server does its chores, in milliseconds. Tests do them more often, and need not wait. */
export interface Intervals {
  /** A change to a project, a key or a person that another process makes is honoured within twice as long. */
  readonly catalogRefresh: number
  /** Refused submissions are counted. */
  readonly intakeFlush: number
  /** Nodes that share a database count each other. */
  readonly nodeBeat: number
  /** The last use of keys and sign-ins is noted. */
  readonly usageFlush: number
  readonly retention: number
  /** Rows that deleted issues have left are removed. They are out of sight at once. */
  readonly removal: number
}

export const INTERVALS: Intervals = {
  catalogRefresh: 500,
  intakeFlush: 1_000,
  nodeBeat: 1_000,
  usageFlush: 30_000,
  retention: 600_000,
  removal: 1_000,
}
