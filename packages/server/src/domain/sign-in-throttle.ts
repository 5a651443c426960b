import { hash } from 'node:crypto'
import type { Clock } from '../clock.ts'
import { DomainError } from './domain-error.ts'
import { createTokenBuckets } from './token-buckets.ts'

/** Wrong attempts a minute. Always on: guessing must not become quick because other limits were switched off. */
const PER_ADDRESS = 30
const PER_ACCOUNT_AND_ADDRESS = 10
/** Three addresses together can not yet keep a person out; a one-time link gets them in whatever others try. */
const PER_ACCOUNT = 40

/** Slows down whoever guesses passwords or links. Nobody is locked out: room comes back with every second. */
export interface SignInThrottle {
  /** Counts an attempt, at the account with this e-mail address or by a link; fails with `rate-limited` when it came too soon. */
  admit(address: string, email: string | null): Attempt
}

export interface Attempt {
  /** It was right: it counts no more. */
  forgive(): void
}

export function createSignInThrottle(clock: Clock): SignInThrottle {
  const buckets = createTokenBuckets()
  return {
    admit(address, email) {
      const claims = email === null ? claimsOfLink(address) : claimsOfAccount(address, email)
      const { isGranted, levels } = buckets.draw(claims, clock())
      if (!isGranted) throw tooSoon(Math.max(...levels.map(({ nextAfterMs }) => nextAfterMs)))
      return { forgive: () => buckets.giveBack(claims, clock()) }
    },
  }
}

function claimsOfLink(address: string) {
  return [{ bucket: `link ${address}`, quota: PER_ADDRESS }]
}

function claimsOfAccount(address: string, email: string) {
  // Of one length, whatever a stranger types.
  const account = hash('sha256', email, 'base64url')
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
