import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import {
  formatPasswordHash,
  HASH_COST,
  type HashCost,
  type PasswordHash,
  parsePasswordHash,
  TAG_BYTES,
} from '../../model/people/password-hashes.ts'
import { DomainError } from '../domain-error.ts'

const SALT_BYTES = 16

/** Each takes 19 MiB and a thread of the pool that files and DNS need too. */
const MAX_AT_ONCE = 2
/** Per queue. Beyond that the response is 503. */
const MAX_WAITING = 16

/**
 * The queues for hashing a password: `known` for people who are known by their browser, a session or a one-time link, and one for everyone else. The
 * first is served first, so that a flood of guesses does not lock people out.
 */
export type PasswordLane = 'known' | 'unknown'

/** Hashes passwords, few at a time and never on the event loop. */
export interface Passwords {
  /** The hash in PHC string format, with everything needed to compare. Only known people set passwords. */
  hash(password: string): Promise<string>
  /** Whether the password matches the hash. Without a hash it returns false in the same time. */
  verify(password: string, hash: string | null, lane: PasswordLane): Promise<boolean>
}

/** A lower cost is only for tests that are not about passwords. */
export function createPasswords(cost: HashCost = HASH_COST): Passwords {
  const queue = createQueue()
  /** Compared with if there is no password; no password matches it. */
  const nobodys: PasswordHash = { cost, salt: randomBytes(SALT_BYTES), tag: randomBytes(TAG_BYTES) }

  const derive = (lane: PasswordLane, password: string, hash: Omit<PasswordHash, 'tag'>) =>
    queue(lane, () =>
      deriveKey('argon2id', {
        // The same password in any Unicode normalisation.
        message: password.normalize('NFKC'),
        nonce: hash.salt,
        tagLength: TAG_BYTES,
        ...hash.cost,
      }),
    )

  return {
    async hash(password) {
      const seasoning = { cost, salt: randomBytes(SALT_BYTES) }
      return formatPasswordHash({ ...seasoning, tag: await derive('known', password, seasoning) })
    },

    async verify(password, hash, lane) {
      const expected = hash === null ? nobodys : requireHash(hash)
      const derived = await derive(lane, password, expected)
      return timingSafeEqual(derived, expected.tag) && hash !== null
    },
  }
}

const deriveKey = promisify(argon2)

function requireHash(text: string): PasswordHash {
  const parsed = parsePasswordHash(text)
  if (parsed === undefined) throw new Error('A stored password hash is not readable.')
  return parsed
}

/** Runs a few jobs at once and keeps a few of each lane waiting. */
function createQueue() {
  const waiting: Readonly<Record<PasswordLane, (() => void)[]>> = { known: [], unknown: [] }
  let running = 0

  return async <T>(lane: PasswordLane, job: () => Promise<T>): Promise<T> => {
    if (running < MAX_AT_ONCE) running++
    else if (waiting[lane].length >= MAX_WAITING) {
      throw new DomainError('unavailable', {
        detail: 'Too many people are signing in right now. Try again shortly.',
      })
    } else await new Promise<void>((resolve) => waiting[lane].push(resolve))
    try {
      return await job()
    } finally {
      // The slot is passed on directly, so that a new job cannot take it.
      const next = waiting.known.shift() ?? waiting.unknown.shift()
      if (next === undefined) running--
      else next()
    }
  }
}
