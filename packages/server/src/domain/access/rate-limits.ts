import type { KeyRecord } from '../../model/keys.ts'
import type { Caller } from './access.ts'
import { createTokenBuckets, type Level } from './token-buckets.ts'

/** Requests per minute, by policy. */
export const DEFAULT_RATE_LIMITS = {
  /** Submissions with one key from one address. */
  submit: 120,
  /** Submissions to one project. */
  project: 6_000,
  /** Uploads of files with one key from one address. */
  upload: 60,
  /** Requests with one secret key, or by one person. */
  secret: 1_200,
  /** Requests without a secret key from one address, except submissions and uploads. */
  anonymous: 60,
  /** Requests with a wrong key from one address. */
  credentials: 20,
} as const

export type Policy = keyof typeof DEFAULT_RATE_LIMITS
export type RateLimits = Readonly<Record<Policy, number>>

/** What determines the limits of a request. */
export interface Subject {
  readonly caller: Caller
  /** The client's address, or its network for IPv6. */
  readonly address: string
  readonly isSubmission: boolean
  readonly isUpload?: boolean
}

export interface PolicyLevel extends Level {
  readonly policy: Policy
  readonly quota: number
}

/** The outcome; `exceeded` is the policy with the longest wait, if any was exceeded. */
export interface Verdict {
  readonly levels: readonly PolicyLevel[]
  readonly exceeded: PolicyLevel | undefined
}

export interface RateLimiter {
  /** Counts a request of a caller. */
  judge(subject: Subject, now: number): Verdict
  /** Counts a request with a wrong key. */
  judgeFailure(address: string, now: number): Verdict
  /**
   * Counts a request of an unknown caller. Each group of names has its own count, so that
   * requests to unknown addresses, for example, do not use up the limit for signing in.
   */
  judgeStranger(names: readonly string[], now: number): Verdict
  /** From now on this process grants only its share of each limit: 1/n for one of n nodes. */
  setShare(share: number): void
}

export function createRateLimiter(limits: RateLimits): RateLimiter {
  const buckets = createTokenBuckets()
  let share = 1

  function draw(counted: readonly Counted[], now: number): Verdict {
    const claims = counted.map(([policy, ...names]) => ({
      policy,
      quota: Math.max(1, Math.floor(limits[policy] * share)),
      bucket: [policy, ...names].join(' '),
    }))
    const { isGranted, levels } = buckets.draw(claims, now)
    const [slowest] = levels.toSorted((one, other) => other.nextAfterMs - one.nextAfterMs)
    return { levels, exceeded: isGranted ? undefined : slowest }
  }

  return {
    judge: (subject, now) => draw(countedFor(subject), now),
    // Only failures are counted and limited: if valid keys were refused too, one client could lock out everyone
    // behind the same address. Guessing is hopeless anyway: a key has 178 random bits.
    judgeFailure: (address, now) => draw([['credentials', address]], now),
    judgeStranger: (names, now) => draw([['anonymous', ...names]], now),
    setShare(part) {
      share = part
    },
  }
}

/** A policy, and what it counts by. */
type Counted = readonly [policy: Policy, ...names: string[]]

function countedFor({ caller, address, isSubmission, isUpload }: Subject): readonly Counted[] {
  if (caller.kind === 'anonymous') return [['anonymous', address]]
  if (caller.kind === 'user') return [['secret', caller.user.id]]
  // All tokens of a person count together, and separately from their browsers.
  if (caller.kind === 'token') return [['secret', caller.user.id, 'tokens']]
  const { key } = caller
  const ofSecret: readonly Counted[] = key.kind === 'secret' ? [['secret', key.id]] : []
  if (isSubmission) return [['submit', key.id, address], ...ofProject(key), ...ofSecret]
  if (isUpload) return [['upload', key.id, address], ...ofSecret]
  // A public key is not a secret, so its readers count as anonymous, but separately from those without a key.
  return key.kind === 'public' ? [['anonymous', key.id, address]] : ofSecret
}

function ofProject({ projectId }: KeyRecord): readonly Counted[] {
  return projectId === null ? [] : [['project', projectId]]
}
