/** How long a client may take: for its headers, for its request, and between two of them. */
export interface Patience {
  readonly headersMs: number
  readonly requestMs: number
  /** For any body, however slow; after that it needs to come at a certain rate. */
  readonly bodyMs: number
  /** The least that a body must bring on average, once {@link bodyMs} is over. */
  readonly slowestBytesPerSecond: number
  /** An endpoint that accepts large bodies waits for them longer: as long as they take at this rate. */
  readonly bodyBytesPerSecond: number
  /** Also for how long a client may take nothing of its answer. */
  readonly idleMs: number
  /** How often it is looked whether somebody's time is over. */
  readonly checkMs: number
}

export const PATIENCE: Patience = {
  headersMs: 15_000,
  requestMs: 30_000,
  bodyMs: 10_000,
  slowestBytesPerSecond: 1_024,
  // The largest body of all has 26 seconds.
  bodyBytesPerSecond: 16_384,
  // Longer than the usual 60 s of proxies, so that they and not we end an idle connection; and much longer than the
  // live stream is silent.
  idleMs: 72_000,
  checkMs: 5_000,
}

interface BodyUnderWay {
  readonly elapsedMs: number
  readonly receivedBytes: number
  /** Of the endpoint. */
  readonly maxBodyBytes: number
}

/** Whether a body has had enough time, or comes too slowly to be waited for. */
export function isTooSlow(
  { elapsedMs, receivedBytes, maxBodyBytes }: BodyUnderWay,
  patience: Patience,
): boolean {
  const { bodyMs, slowestBytesPerSecond, bodyBytesPerSecond } = patience
  if (elapsedMs < bodyMs) return false
  const isLate = elapsedMs > bodyMs + (maxBodyBytes / bodyBytesPerSecond) * 1_000
  return isLate || receivedBytes / (elapsedMs / 1_000) < slowestBytesPerSecond
}
