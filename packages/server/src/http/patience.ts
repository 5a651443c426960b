/** How long a client may take: for its headers, for its request, and between two of them. */
export interface Patience {
  readonly headersMs: number
  readonly requestMs: number
  /** Also for how long a client may take nothing of its answer. */
  readonly idleMs: number
  /** How often it is looked whether somebody's time is over. */
  readonly checkMs: number
}

export const PATIENCE: Patience = {
  headersMs: 15_000,
  requestMs: 30_000,
  // Longer than the usual 60 s of proxies, so that they and not we end an idle connection; and much longer than the
  // live stream is silent.
  idleMs: 72_000,
  checkMs: 5_000,
}
