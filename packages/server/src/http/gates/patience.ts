/** How long a client may take for its headers, for its request, and between two requests. */
export interface Patience {
  readonly headersMs: number
  readonly requestMs: number
  /** For any body, however slow; after that it must arrive at a minimum rate. */
  readonly bodyMs: number
  /** The minimum average rate of a body, once {@link bodyMs} is over. */
  readonly slowestBytesPerSecond: number
  /** Determines how long an endpoint waits for its largest body. */
  readonly bodyBytesPerSecond: number
  /** Also how long a client may stop reading its response. */
  readonly idleMs: number
  /** How often timeouts are checked. */
  readonly checkMs: number
}

export const PATIENCE: Patience = {
  headersMs: 15_000,
  requestMs: 30_000,
  bodyMs: 10_000,
  slowestBytesPerSecond: 1_024,
  // The largest body of all has 26 seconds.
  bodyBytesPerSecond: 16_384,
  // Longer than the usual 60 s of proxies, so that proxies close idle connections first; and much longer than
  // the pauses of the live stream.
  idleMs: 72_000,
  checkMs: 5_000,
}

interface BodyUnderWay {
  readonly elapsedMs: number
  readonly receivedBytes: number
  /** The body limit of the endpoint. */
  readonly maxBodyBytes: number
}

/** Whether a body has exceeded its time or arrives too slowly. */
export function isTooSlow(
  { elapsedMs, receivedBytes, maxBodyBytes }: BodyUnderWay,
  patience: Patience,
): boolean {
  const { bodyMs, slowestBytesPerSecond, bodyBytesPerSecond } = patience
  if (elapsedMs < bodyMs) return false
  const isLate = elapsedMs > bodyMs + (maxBodyBytes / bodyBytesPerSecond) * 1_000
  return isLate || receivedBytes / (elapsedMs / 1_000) < slowestBytesPerSecond
}
