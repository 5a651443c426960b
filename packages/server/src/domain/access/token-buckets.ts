export const WINDOW_SECONDS = 60
const WINDOW_MS = WINDOW_SECONDS * 1_000

/** The maximum number of buckets. Beyond it the least recently used are dropped, which is lenient once and never too strict. */
const MAX_BUCKETS = 50_000

/** One bucket that a request draws from. */
export interface Claim {
  /** Names the bucket. */
  readonly bucket: string
  /** Its capacity, and how much it refills in a window. */
  readonly quota: number
  /** How many draws the request counts as; 1 if absent. */
  readonly draws?: number
}

/** The state of a bucket after a draw. */
export interface Level {
  /** How many more draws it allows now. */
  readonly remaining: number
  /** When it is full again. */
  readonly fullAfterMs: number
  /** When it allows the next request like this one; 0: now. */
  readonly nextAfterMs: number
}

export interface Draw<C extends Claim> {
  readonly isGranted: boolean
  /** The claims, each with the level of its bucket. */
  readonly levels: readonly (C & Level)[]
}

export interface TokenBuckets {
  /** Draws from every claimed bucket, or from none if one has too little. A refusal creates no bucket. */
  draw<C extends Claim>(claims: readonly C[], now: number): Draw<C>
  /** Returns a draw that was granted. */
  giveBack(claims: readonly Claim[], now: number): void
  readonly size: number
}

/** Amounts are counted in draws × window milliseconds: integers, so that rounding never makes a promised time wrong. */
const ONE_DRAW = WINDOW_MS

function costOf({ draws = 1 }: Claim): number {
  return draws * ONE_DRAW
}

interface Bucket {
  readonly amount: number
  /** The time of the amount. */
  readonly at: number
}

export function createTokenBuckets(maxBuckets = MAX_BUCKETS): TokenBuckets {
  // Two generations: buckets used since the last rotation, and before it. Dropping old buckets then means dropping a whole map,
  // while finding the oldest entry of a map is slow if many were deleted (V8 steps over each of them).
  let recent = new Map<string, Bucket>()
  let earlier = new Map<string, Bucket>()
  let turnedAt = 0

  function draw<C extends Claim>(claims: readonly C[], now: number): Draw<C> {
    const found = claims.map((claim) => {
      const bucket = find(claim.bucket)
      return { claim, exists: bucket !== undefined, amount: amountIn(bucket, claim, now) }
    })
    const isGranted = found.every(({ claim, amount }) => amount >= costOf(claim))
    const levels = found.map(({ claim, exists, amount: before }) => {
      const amount = isGranted ? before - costOf(claim) : before
      if (isGranted || exists) keep(claim.bucket, { amount, at: now })
      return { ...claim, ...levelOf(claim, amount) }
    })
    return { isGranted, levels }
  }

  function giveBack(claims: readonly Claim[], now: number): void {
    for (const claim of claims) {
      const amount = amountIn(find(claim.bucket), claim, now) + costOf(claim)
      if (amount < claim.quota * ONE_DRAW) keep(claim.bucket, { amount, at: now })
      else forget(claim.bucket)
    }
  }

  function find(name: string): Bucket | undefined {
    return recent.get(name) ?? earlier.get(name)
  }

  /** A full bucket is equivalent to no bucket. */
  function forget(name: string): void {
    recent.delete(name)
    earlier.delete(name)
  }

  function keep(name: string, bucket: Bucket): void {
    // A bucket that was not used for a window is full, which is equivalent to no bucket.
    const isOver = Math.abs(bucket.at - turnedAt) >= WINDOW_MS
    if (isOver || recent.size >= maxBuckets / 2) {
      earlier = recent
      recent = new Map()
      turnedAt = bucket.at
    }
    recent.set(name, bucket)
  }

  return {
    draw,
    giveBack,
    get size() {
      return recent.size + earlier.size
    },
  }
}

function amountIn(bucket: Bucket | undefined, { quota }: Claim, now: number): number {
  const full = quota * ONE_DRAW
  if (bucket === undefined) return full
  // A clock that was set back must not lock anyone out.
  const elapsed = Math.min(WINDOW_MS, Math.max(0, now - bucket.at))
  return Math.min(full, bucket.amount + elapsed * quota)
}

function levelOf(claim: Claim, amount: number): Level {
  const { quota } = claim
  return {
    remaining: Math.floor(amount / ONE_DRAW),
    fullAfterMs: Math.ceil((quota * ONE_DRAW - amount) / quota),
    nextAfterMs: Math.max(0, Math.ceil((costOf(claim) - amount) / quota)),
  }
}
