import { hash } from 'node:crypto'
import type { Clock } from '../../clock.ts'
import { type Claim, createTokenBuckets } from '../access/token-buckets.ts'
import { DomainError } from '../domain-error.ts'

/** Wrong attempts per minute. Always on: turning off other limits must not make guessing faster. */
const PER_ADDRESS = 30
const PER_ACCOUNT_AND_ADDRESS = 10
/** In a browser where the person has signed in before. Strangers are counted separately, so they cannot lock it out. */
const PER_DEVICE = 10
/** Three addresses together cannot lock a person out; a one-time link always works. */
const PER_ACCOUNT = 40

/** Slows down guessing of passwords and links. No one is locked out: attempts become available again every second. */
export interface SignInThrottle {
  /** Counts an attempt at an account; fails with `rate-limited` if there were too many. */
  admit(origin: AttemptOrigin): Attempt
  /** Counts an attempt with a link. */
  admitLink(address: string): Attempt
}

export interface AttemptOrigin {
  readonly address: string
  /** The email address of the account. */
  readonly email: string
  /** The id of a known browser of the person; `null` for any other. */
  readonly deviceId: string | null
}

export interface Attempt {
  /** The password was right, so the attempt no longer counts. */
  forgive(): void
  /** Waits for the check. If the check fails, for example under overload, the attempt does not count as wrong. */
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
  // Hashed, so that the key has a fixed length.
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
    detail: `Too many attempts to sign in. Try again in ${retryAfterSeconds} s.`,
    retryAfterSeconds,
  })
}
