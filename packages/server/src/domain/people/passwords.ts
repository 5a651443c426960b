import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import {
  formatPasswordHash,
  HASH_COST,
  type HashCost,
  type PasswordHash,
  parsePasswordHash,
  TAG_BYTES,
} from '../../model/password-hashes.ts'
import { DomainError } from '../domain-error.ts'

const SALT_BYTES = 16

/** Each takes a thread of the pool that files and names need too, and 19 MiB. */
const MAX_AT_ONCE = 2
/** Of each lane. Beyond that the response is "try later", never a longer queue. */
const MAX_WAITING = 16

/**
 * Who waits for a password to be hashed: somebody who is known (by their browser, a session or a one-time link), or anybody. The
 * known are served first, so that a flood of guesses does not keep them out.
 */
export type PasswordLane = 'known' | 'unknown'

/** Hashes passwords, few at a time and never on the event loop. */
export interface Passwords {
  /** A text with everything in it that comparing needs (the PHC string format). Only the known set passwords. */
  hash(password: string): Promise<string>
  /** Whether it is the password behind the hash. Where there is no hash it takes as long to say no. */
  verify(password: string, hash: string | null, lane: PasswordLane): Promise<boolean>
}

/** A lower cost than ours is only for tests that are about something else. */
export function createPasswords(cost: HashCost = HASH_COST): Passwords {
  const queue = createQueue()
  /** Compared with where there is no password: nothing derives to it. */
  const nobodys: PasswordHash = { cost, salt: randomBytes(SALT_BYTES), tag: randomBytes(TAG_BYTES) }

  const derive = (lane: PasswordLane, password: string, hash: Omit<PasswordHash, 'tag'>) =>
    queue(lane, () =>
      deriveKey('argon2id', {
        // One password, however the keyboard composes its letters.
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
        detail: 'Too many people sign in right now. Try again shortly.',
      })
    } else await new Promise<void>((resolve) => waiting[lane].push(resolve))
    try {
      return await job()
    } finally {
      // The place is handed over: who comes in between does not take it.
      const next = waiting.known.shift() ?? waiting.unknown.shift()
      if (next === undefined) running--
      else next()
    }
  }
}
