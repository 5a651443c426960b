import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import {
  formatPasswordHash,
  HASH_COST,
  type HashCost,
  type PasswordHash,
  parsePasswordHash,
  TAG_BYTES,
} from '../storage/records/password-hashes.ts'
import { DomainError } from './domain-error.ts'

const SALT_BYTES = 16

/** Each takes a thread of the pool that files and names need too, and 19 MiB. */
const MAX_AT_ONCE = 2
/** Beyond that the answer is "try later", never a longer queue. */
const MAX_WAITING = 16

/** Hashes passwords, few at a time and never on the event loop. */
export interface Passwords {
  /** A text with everything in it that comparing needs (the PHC string format). */
  hash(password: string): Promise<string>
  /** Whether it is the password behind the hash. Where there is no hash it takes as long to say no. */
  verify(password: string, hash: string | null): Promise<boolean>
}

export function createPasswords(): Passwords {
  const queue = createQueue()

  const derive = (password: string, salt: Uint8Array, cost: HashCost) =>
    queue(() =>
      deriveKey('argon2id', {
        // One password, however the keyboard composes its letters.
        message: password.normalize('NFKC'),
        nonce: salt,
        tagLength: TAG_BYTES,
        ...cost,
      }),
    )

  return {
    async hash(password) {
      const salt = randomBytes(SALT_BYTES)
      return formatPasswordHash({ cost: HASH_COST, salt, tag: await derive(password, salt, HASH_COST) })
    },

    async verify(password, hash) {
      const { cost, salt, tag } = hash === null ? NOBODYS : requireHash(hash)
      const derived = await derive(password, salt, cost)
      return timingSafeEqual(derived, tag) && hash !== null
    },
  }
}

const deriveKey = promisify(argon2)

/** Compared with where there is no password: nothing derives to it. */
const NOBODYS: PasswordHash = { cost: HASH_COST, salt: randomBytes(SALT_BYTES), tag: randomBytes(TAG_BYTES) }

function requireHash(text: string): PasswordHash {
  const parsed = parsePasswordHash(text)
  if (parsed === undefined) throw new Error('A stored password hash is not readable.')
  return parsed
}

/** Runs a few jobs at once and keeps a few waiting. */
function createQueue() {
  const waiting: (() => void)[] = []
  let running = 0

  return async <T>(job: () => Promise<T>): Promise<T> => {
    if (running >= MAX_AT_ONCE) {
      if (waiting.length >= MAX_WAITING) {
        throw new DomainError('unavailable', {
          detail: 'Too many people sign in right now. Try again shortly.',
        })
      }
      await new Promise<void>((resolve) => waiting.push(resolve))
    }
    running++
    try {
      return await job()
    } finally {
      running--
      waiting.shift()?.()
    }
  }
}
