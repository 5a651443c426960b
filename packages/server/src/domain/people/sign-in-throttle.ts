import { hash } from 'node:crypto'
import type { Clock } from '../../clock.ts'
import { type Claim, createTokenBuckets } from '../access/token-buckets.ts'
import { DomainError } from '../domain-error.ts'

/** Wrong attempts a minute. Always on: guessing must not become quick because other limits were switched off. */
const PER_ADDRESS = 30
const PER_ACCOUNT_AND_ADDRESS = 10
/** In a browser where the person has signed in before. Strangers count elsewhere, so they can not keep it out. */
const PER_DEVICE = 10
/** Three addresses together can not yet keep a person out; a one-time link gets them in whatever others try. */
const PER_ACCOUNT = 40

/** Slows down whoever guesses passwords or links. Nobody is locked out: room comes back with every second. */
export interface SignInThrottle {
  /** Counts an attempt at an account; fails with `rate-limited` when it came too soon. */
  admit(origin: AttemptOrigin): Attempt
  /** Counts an attempt by a link. */
  admitLink(address: string): Attempt
}

export interface AttemptOrigin {
  readonly address: string
  /** Of the account. */
  readonly email: string
  /** Of a browser that is known to be the person's; `null`: it may be anybody's. */
  readonly deviceId: string | null
}

export interface Attempt {
  /** It was right: it counts no more. */
  forgive(): void
  /** Waits for what tells whether it was right. If that fails, as under overload, the attempt was not a wrong one. */
  judge<T>(judging: Promise<T>): Promise<T>
}

export function createSignInThrottle(clock: Clock): SignInThrottle {
  const buckets = createTokenBuckets()

  function draw(claims: readonly Claim[]): Attempt {
    const { isGranted, levels } = buckets.draw(claims, clock())
    if (!isGranted) throw tooSoon(Math.max(...levels.map(({ nextAfterMs }) => nextAfterMs)))
    const forgive = () => buckets.giveBack(claims, clock())
    return {
      forgive,
      async judge(judging) {
        try {
          return await judging
        } catch (error) {
          forgive()
          throw error
        }
      },
    }
  }

  return {
    admit: (origin) => draw(claimsOf(origin)),
    admitLink: (address) => draw([{ bucket: `link ${address}`, quota: PER_ADDRESS }]),
  }
}

function claimsOf({ address, email, deviceId }: AttemptOrigin): readonly Claim[] {
  // Of one length, whatever a stranger types.
  const account = hash('sha256', email, 'base64url')
  if (deviceId !== null) return [{ bucket: `device ${account} ${deviceId}`, quota: PER_DEVICE }]
  return [
    { bucket: `address ${address}`, quota: PER_ADDRESS },
    { bucket: `both ${account} ${address}`, quota: PER_ACCOUNT_AND_ADDRESS },
    { bucket: `account ${account}`, quota: PER_ACCOUNT },
  ]
}

function tooSoon(waitMs: number): DomainError {
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1_000))
  return new DomainError('rate-limited', {
    detail: `There were too many attempts to sign in. Try again in ${retryAfterSeconds} s.`,
    retryAfterSeconds,
  })
}
