export const WINDOW_SECONDS = 60
const WINDOW_MS = WINDOW_SECONDS * 1_000

/** Buckets kept in all. Beyond that the one not asked for the longest is forgotten: too lenient once, never too strict. */
const MAX_BUCKETS = 50_000

/** More than a draw adds, so that those of the past never pile up. */
const FORGOTTEN_PER_DRAW = 4

/** One bucket that a request draws from. */
export interface Claim {
  /** Names the bucket. */
  readonly bucket: string
  /** How much it holds, and how much flows into it in a window. */
  readonly quota: number
}

/** How a bucket stands after a draw. */
export interface Level {
  /** How many more draws it bears now. */
  readonly remaining: number
  /** When it is full again. */
  readonly fullAfterMs: number
  /** When it bears the next draw; 0: now. */
  readonly nextAfterMs: number
}

export interface Draw<C extends Claim> {
  readonly isGranted: boolean
  /** The claims, each with the level of its bucket. */
  readonly levels: readonly (C & Level)[]
}

export interface TokenBuckets {
  /** Draws once from every bucket that is claimed, or from none of them if one is empty. */
  draw<C extends Claim>(claims: readonly C[], now: number): Draw<C>
  readonly size: number
}

/** Amounts are counted in draws × window milliseconds: whole numbers, so that no rounding makes a promise untrue. */
const ONE_DRAW = WINDOW_MS

interface Bucket {
  readonly amount: number
  /** When the amount was true. */
  readonly at: number
}

export function createTokenBuckets(maxBuckets = MAX_BUCKETS): TokenBuckets {
  // Those not asked for the longest come first.
  const buckets = new Map<string, Bucket>()

  function draw<C extends Claim>(claims: readonly C[], now: number): Draw<C> {
    forgetFull(now)
    const found = claims.map((claim) => ({ claim, amount: amountIn(buckets.get(claim.bucket), claim, now) }))
    const isGranted = found.every(({ amount }) => amount >= ONE_DRAW)
    const levels = found.map(({ claim, amount: before }) => {
      const amount = isGranted ? before - ONE_DRAW : before
      keep(claim.bucket, { amount, at: now })
      return { ...claim, ...levelOf(claim, amount) }
    })
    return { isGranted, levels }
  }

  function keep(name: string, bucket: Bucket): void {
    buckets.delete(name)
    buckets.set(name, bucket)
    if (buckets.size > maxBuckets) forgetOldest()
  }

  /** A window after it was last looked at, a bucket is full, and says no more than none at all. */
  function forgetFull(now: number): void {
    for (const [name, { at }] of buckets.entries().take(FORGOTTEN_PER_DRAW)) {
      if (now - at >= WINDOW_MS) buckets.delete(name)
    }
  }

  function forgetOldest(): void {
    for (const name of buckets.keys().take(1)) buckets.delete(name)
  }

  return {
    draw,
    get size() {
      return buckets.size
    },
  }
}

function amountIn(bucket: Bucket | undefined, { quota }: Claim, now: number): number {
  const full = quota * ONE_DRAW
  if (bucket === undefined) return full
  // A clock that was set back must not lock anybody out.
  const elapsed = Math.min(WINDOW_MS, Math.max(0, now - bucket.at))
  return Math.min(full, bucket.amount + elapsed * quota)
}

function levelOf({ quota }: Claim, amount: number): Level {
  return {
    remaining: Math.floor(amount / ONE_DRAW),
    fullAfterMs: Math.ceil((quota * ONE_DRAW - amount) / quota),
    nextAfterMs: Math.max(0, Math.ceil((ONE_DRAW - amount) / quota)),
  }
}
