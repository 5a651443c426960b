import { randomFillSync } from 'node:crypto'

/** Identifiers: a prefix and 128 bits in base32, laid out as a UUIDv8 (48 bits of time, 32 of a shard, 42 random). */
export type IssueId = `iss_${string}`
export type ReportId = `rep_${string}`
export type ProjectId = `prj_${string}`
export type KeyId = `key_${string}`
export type WebhookId = `whk_${string}`
export type UserId = `usr_${string}`
export type SignInId = `sgn_${string}`
export type ViewId = `viw_${string}`
export type AccessTokenId = `pat_${string}`
export type AttachmentId = `att_${string}`
export type AuditEntryId = `aud_${string}`
/** A person who reports problems with a secret: derived from it, and never stored with other ids. */
export type ReporterId = `rpr_${string}`

export const ID_PREFIXES = [
  'iss',
  'rep',
  'prj',
  'key',
  'whk',
  'usr',
  'sgn',
  'pat',
  'viw',
  'att',
  'aud',
  'rpr',
] as const
export type IdPrefix = (typeof ID_PREFIXES)[number]

/** Crockford's alphabet in lower case: no i, l, o or u. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const ENCODED_CHARS = 26
const ORDINAL_VALUES = 2 ** 32
const MAX_TIME = 2 ** 48 - 1

/** Creates an id that sorts by time. The id of an issue or a webhook contains its project. */
export function mintId<P extends IdPrefix>(prefix: P, time: number, projectNumber: number): `${P}_${string}` {
  const bytes = new Uint8Array(16)
  writeNumber(bytes, { at: 0, size: 6 }, time)
  writeNumber(bytes, { at: 6, size: 2 }, 0x8000 | (projectNumber >>> 20))
  writeNumber(bytes, { at: 8, size: 2 }, 0x8000 | ((projectNumber >>> 6) & 0x3fff))
  fillRandomly(bytes, 10)
  bytes[10] = ((projectNumber & 0x3f) << 2) | ((bytes[10] ?? 0) & 0x03)
  return encodeId(prefix, bytes)
}

/** Creates an id without a project: the bits of `projectNumber` are random too. */
export function mintUnshardedId<P extends IdPrefix>(prefix: P, time: number): `${P}_${string}` {
  return mintId(prefix, time, randomProjectNumber())
}

/** Before every id that is created at this time or later, and after all earlier ones. */
export function firstIdAt<P extends IdPrefix>(prefix: P, time: number): `${P}_${string}` {
  const bytes = new Uint8Array(16)
  writeNumber(bytes, { at: 0, size: 6 }, Math.min(Math.max(0, Math.floor(time)), MAX_TIME))
  return encodeId(prefix, bytes)
}

/** A random number, mainly for projects. Unlike a counter, it reveals no count and does not collide on import. */
function randomProjectNumber(): number {
  const bytes = new Uint8Array(4)
  fillRandomly(bytes, 0)
  return readNumber(bytes, { at: 0, size: 4 })
}

/** Whether the text is an id of this kind in its canonical form. */
export function isId<P extends IdPrefix>(prefix: P, text: string): text is `${P}_${string}` {
  if (text.length !== prefix.length + 1 + ENCODED_CHARS || !text.startsWith(`${prefix}_`)) return false
  const bytes = decodeBase32(text, prefix.length + 1)
  return bytes !== undefined && (bytes[6] ?? 0) >> 4 === 8 && (bytes[8] ?? 0) >> 6 === 2
}

/** The `projectNumber` contained in the id. Only for texts that {@link isId} accepts. */
export function projectNumberOf(id: IssueId | ReportId | ProjectId | WebhookId | AttachmentId): number {
  const bytes = idToBytes(id)
  const high = readNumber(bytes, { at: 6, size: 2 }) & 0x0fff
  const middle = readNumber(bytes, { at: 8, size: 2 }) & 0x3fff
  return (high * 2 ** 20 + middle * 2 ** 6 + ((bytes[10] ?? 0) >>> 2)) % ORDINAL_VALUES
}

/** The 16 bytes of an id, as a database stores them. */
export function idToBytes(id: string): Uint8Array<ArrayBuffer> {
  const bytes = decodeBase32(id, id.indexOf('_') + 1)
  if (bytes === undefined) throw new TypeError(`not an id: ${id}`)
  return bytes
}

/** The id that these 16 bytes encode. */
export function encodeId<P extends IdPrefix>(prefix: P, bytes: Uint8Array): `${P}_${string}` {
  // Built from character codes: appending characters one by one would create a new string each time.
  const codes = [CODES[(bytes[0] ?? 0) >> 5] ?? 0]
  for (let bit = 3; bit < 128; bit += 5) {
    const index = bit >> 3
    const pair = ((bytes[index] ?? 0) << 8) | (bytes[index + 1] ?? 0)
    codes.push(CODES[(pair >> (11 - (bit & 7))) & 31] ?? 0)
  }
  return `${prefix}_${String.fromCharCode(...codes)}`
}

/** When the id was created, in milliseconds. */
export function timeOf(id: IssueId | ReportId): number {
  return readNumber(idToBytes(id), { at: 0, size: 6 })
}

const CODES = [...ALPHABET].map((char) => char.charCodeAt(0))
const UNKNOWN = 255
const VALUES = new Uint8Array(128).fill(UNKNOWN)
for (const [value, code] of CODES.entries()) VALUES[code] = value

function decodeBase32(text: string, from: number): Uint8Array<ArrayBuffer> | undefined {
  const bytes = new Uint8Array(16)
  let buffer = 0
  let bits = -2
  let index = 0
  for (let at = from; at < text.length; at++) {
    const value = VALUES[text.charCodeAt(at)] ?? UNKNOWN
    if (value === UNKNOWN || index > 15) return undefined
    // The first character has two unused bits: a value above 7 would be a second encoding of the same id.
    if (at === from && value > 7) return undefined
    buffer = ((buffer << 5) | value) & 0xfff
    bits += 5
    if (bits >= 8) {
      bits -= 8
      bytes[index++] = (buffer >> bits) & 0xff
    }
  }
  return index === 16 ? bytes : undefined
}

interface Field {
  readonly at: number
  readonly size: number
}

// Without a DataView: it would move the few bytes out of the heap, which costs more than everything else here.
function writeNumber(bytes: Uint8Array, { at, size }: Field, number: number): void {
  let rest = number
  for (let index = at + size - 1; index >= at; index--) {
    bytes[index] = rest % 256
    rest = Math.floor(rest / 256)
  }
}

function readNumber(bytes: Uint8Array, { at, size }: Field): number {
  let number = 0
  for (let index = at; index < at + size; index++) number = number * 256 + (bytes[index] ?? 0)
  return number
}

// One call provides random bytes for many ids: a call for six bytes costs about as much as one for a thousand.
const pool = new Uint8Array(4_096)
let poolAt = pool.length

function fillRandomly(bytes: Uint8Array, from: number): void {
  const count = bytes.length - from
  if (poolAt + count > pool.length) {
    randomFillSync(pool)
    poolAt = 0
  }
  for (let index = from; index < bytes.length; index++) bytes[index] = pool[poolAt++] ?? 0
}
