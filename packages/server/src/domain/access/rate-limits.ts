import type { KeyRecord } from '../../model/keys.ts'
import type { Caller } from './access.ts'
import { createTokenBuckets, type Level } from './token-buckets.ts'

/** How many requests a minute, by policy. */
export const DEFAULT_RATE_LIMITS = {
  /** Submissions with one key from one address. */
  submit: 120,
  /** Submissions to one project. */
  project: 6_000,
  /** Requests with one secret key, or by one person. */
  secret: 1_200,
  /** Requests without a secret key from one address, submissions aside. */
  anonymous: 60,
  /** Requests with a wrong key from one address. */
  credentials: 20,
} as const

export type Policy = keyof typeof DEFAULT_RATE_LIMITS
export type RateLimits = Readonly<Record<Policy, number>>

/** What counts for the limits of a request. */
export interface Subject {
  readonly caller: Caller
  /** Where it comes from, as far as addresses are told apart. */
  readonly address: string
  readonly isSubmission: boolean
}

export interface PolicyLevel extends Level {
  readonly policy: Policy
  readonly quota: number
}

/** What became of a request; `exceeded` is the policy that holds it up the longest, if any does. */
export interface Verdict {
  readonly levels: readonly PolicyLevel[]
  readonly exceeded: PolicyLevel | undefined
}

export interface RateLimiter {
  /** Counts a request of a caller who is known, or anonymous. */
  judge(subject: Subject, now: number): Verdict
  /** Counts a request whose key turned out wrong. */
  judgeFailure(address: string, now: number): Verdict
  /**
   * Counts a request of somebody who is not known yet, or never will be. Each group of names has its own count, so that
   * unknown addresses, for example, do not use up what is for signing in.
   */
  judgeStranger(names: readonly string[], now: number): Verdict
  /** From now on this process grants only a part of each limit: one of n nodes, 1/n. */
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
    // Only the failures are counted and limited: were good keys refused too, one stranger could lock out everybody
    // behind the same address. Nothing is gained by guessing on: a key has 178 random bits.
    judgeFailure: (address, now) => draw([['credentials', address]], now),
    judgeStranger: (names, now) => draw([['anonymous', ...names]], now),
    setShare(part) {
      share = part
    },
  }
}

/** A policy, and whom it counts apart. */
type Counted = readonly [policy: Policy, ...names: string[]]

function countedFor({ caller, address, isSubmission }: Subject): readonly Counted[] {
  if (caller.kind === 'anonymous') return [['anonymous', address]]
  if (caller.kind === 'user') return [['secret', caller.user.id]]
  const { key } = caller
  const ofSecret: readonly Counted[] = key.kind === 'secret' ? [['secret', key.id]] : []
  if (isSubmission) return [['submit', key.id, address], ...ofProject(key), ...ofSecret]
  // A public key is no secret: whoever reads with one is as good as anonymous, though not for those who read without.
  return key.kind === 'public' ? [['anonymous', key.id, address]] : ofSecret
}

function ofProject({ projectId }: KeyRecord): readonly Counted[] {
  return projectId === null ? [] : [['project', projectId]]
}
