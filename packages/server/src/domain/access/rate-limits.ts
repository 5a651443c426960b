import type { ProjectId } from '../../model/ids.ts'
import type { KeyRecord } from '../../model/keys.ts'
import { DomainError } from '../domain-error.ts'
import type { Caller } from './access.ts'
import { createTokenBuckets, type Level } from './token-buckets.ts'

/** Requests per minute, by policy; for bulk changes, milliseconds per minute. */
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
  /** Milliseconds that bulk changes of one project may hold the writer. */
  bulk: 6_000,
} as const

type LimitName = keyof typeof DEFAULT_RATE_LIMITS
export type RateLimits = Readonly<Record<LimitName, number>>
/** A limit that counts requests. */
export type Policy = Exclude<LimitName, 'bulk'>

/** As many bulk changes of a project are never refused in a minute, however long they take. */
const UNREFUSED_BULKS = 3

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
  /**
   * Reserves time for a bulk change of a project: the most that it is charged. Throws `rate-limited` if the project has too little
   * left. The returned function is called with how long the change took, and returns the rest.
   */
  reserveBulk(projectId: ProjectId, now: number): (tookMs: number, now: number) => void
  /** From now on this process grants only its share of each limit: 1/n for one of n nodes. */
  setShare(share: number): void
}

export function createRateLimiter(limits: RateLimits): RateLimiter {
  const buckets = createTokenBuckets()
  let share = 1

  function quotaOf(name: LimitName): number {
    return Math.max(1, Math.floor(limits[name] * share))
  }

  function draw(counted: readonly Counted[], now: number): Verdict {
    const claims = counted.map(([policy, ...names]) => ({
      policy,
      quota: quotaOf(policy),
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
    reserveBulk(projectId, now) {
      const draws = Math.ceil(quotaOf('bulk') / UNREFUSED_BULKS)
      const claim = { bucket: `bulk ${projectId}`, quota: UNREFUSED_BULKS * draws, draws }
      const { isGranted, levels } = buckets.draw([claim], now)
      if (!isGranted) throw bulkLimited(claim.quota, levels[0]?.nextAfterMs ?? 0)
      return (tookMs, at) => {
        const left = Math.max(0, draws - Math.ceil(tookMs))
        buckets.giveBack([{ ...claim, draws: left }], at)
      }
    },
    setShare(part) {
      share = part
    },
  }
}

function bulkLimited(quota: number, waitMs: number): DomainError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1_000))
  return new DomainError('rate-limited', {
    detail: `Bulk changes of a project may take ${quota} ms a minute. Try again in ${seconds} s.`,
    retryAfterSeconds: seconds,
  })
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
