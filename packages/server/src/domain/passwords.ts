import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { DomainError } from './domain-error.ts'

/** At least what OWASP asks for (Password Storage Cheat Sheet): 19 MiB, two passes. */
const COST = { memory: 19_456, passes: 2, parallelism: 1 } as const
const SALT_BYTES = 16
const TAG_BYTES = 32

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

  const derive = (password: string, salt: Uint8Array, cost: Cost) =>
    queue(() =>
      deriveKey('argon2id', {
        // One password, however the keyboard composes its letters.
        message: password.toWellFormed().normalize('NFKC'),
        nonce: salt,
        tagLength: TAG_BYTES,
        ...cost,
      }),
    )

  return {
    async hash(password) {
      const salt = randomBytes(SALT_BYTES)
      return encode({ cost: COST, salt, tag: await derive(password, salt, COST) })
    },

    async verify(password, hash) {
      const { cost, salt, tag } = decode(hash ?? NOBODYS)
      const derived = await derive(password, salt, cost)
      return timingSafeEqual(derived, tag) && hash !== null
    },
  }
}

interface Cost {
  readonly memory: number
  readonly passes: number
  readonly parallelism: number
}

interface Hashed {
  readonly cost: Cost
  readonly salt: Uint8Array
  readonly tag: Uint8Array
}

const deriveKey = promisify(argon2)

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/

/** Compared with where there is no password: nothing derives to it. */
const NOBODYS = encode({ cost: COST, salt: randomBytes(SALT_BYTES), tag: randomBytes(TAG_BYTES) })

function encode({ cost: { memory, passes, parallelism }, salt, tag }: Hashed): string {
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${toText(salt)}$${toText(tag)}`
}

function decode(hash: string): Hashed {
  const [, memory, passes, parallelism, salt = '', tag = ''] = PHC.exec(hash) ?? []
  if (tag === '') throw new Error('A stored password hash is not readable.')
  return {
    cost: { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) },
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  }
}

function toText(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64').replace(/=+$/, '')
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
