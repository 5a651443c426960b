/** An argon2id password hash, with everything needed to compare. */
export interface PasswordHash {
  readonly cost: HashCost
  readonly salt: Uint8Array
  readonly tag: Uint8Array
}

export interface HashCost {
  /** In KiB. */
  readonly memory: number
  readonly passes: number
  readonly parallelism: number
}

/** For our own hashes. At least what OWASP recommends (Password Storage Cheat Sheet): 19 MiB, two passes. */
export const HASH_COST: HashCost = { memory: 19_456, passes: 2, parallelism: 1 }
/** For hashes in an imported file: every sign-in attempt costs as much. */
const MAX_HASH_COST: HashCost = { memory: 65_536, passes: 10, parallelism: 4 }
/** What argon2 needs for each lane (RFC 9106, 3.1). */
const MIN_LANE_MEMORY = 8

export const TAG_BYTES = 32

/** The PHC string format, with a salt of 8 to 48 bytes, of which argon2 needs 8, and a tag of ours. */
const PHC =
  /^\$argon2id\$v=19\$m=(\d{1,9}),t=(\d{1,9}),p=(\d{1,9})\$([A-Za-z0-9+/]{11,64})\$([A-Za-z0-9+/]{43})$/

export function isPasswordHash(text: string): boolean {
  return parsePasswordHash(text) !== undefined
}

/** `undefined` for anything invalid or too expensive. */
export function parsePasswordHash(text: string): PasswordHash | undefined {
  const [, memory, passes, parallelism, salt = '', tag = ''] = PHC.exec(text) ?? []
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) }
  if (!isBearable(cost)) return undefined
  return { cost, salt: Buffer.from(salt, 'base64'), tag: Buffer.from(tag, 'base64') }
}

export function formatPasswordHash({ cost, salt, tag }: PasswordHash): string {
  const { memory, passes, parallelism } = cost
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${toText(salt)}$${toText(tag)}`
}

function isBearable({ memory, passes, parallelism }: HashCost): boolean {
  return (
    parallelism >= 1 &&
    parallelism <= MAX_HASH_COST.parallelism &&
    passes >= 1 &&
    passes <= MAX_HASH_COST.passes &&
    memory >= MIN_LANE_MEMORY * parallelism &&
    memory <= MAX_HASH_COST.memory
  )
}

function toText(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64').replace(/=+$/, '')
}
