import { hash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'
import {
  ACCESS_TOKEN_PREFIX,
  KEY_CHECKSUM_CHARS,
  KEY_KINDS,
  KEY_PREFIXES,
  KEY_RANDOM_CHARS,
  type KeyKind,
  type Scope,
} from '@bugle/contract'
import { mintUnshardedId, type ProjectId, projectNumberOf } from '../../model/ids.ts'
import type { KeyRecord } from '../../model/keys.ts'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const TOKEN_PATTERN = new RegExp(
  `^(?:${[...Object.values(KEY_PREFIXES), ACCESS_TOKEN_PREFIX].join('|')})[0-9A-Za-z]{${KEY_RANDOM_CHARS + KEY_CHECKSUM_CHARS}}$`,
)
const ENDING_CHARS = 4

interface NewKey {
  readonly projectId: ProjectId | null
  readonly kind: KeyKind
  readonly name: string | null
  readonly scopes: readonly Scope[]
  readonly origins: readonly string[]
  readonly createdAt: number
}

/** Creates a key. The token is returned separately, because only the hash of a secret key is stored. */
export function mintKey(given: NewKey): { readonly token: string; readonly key: KeyRecord } {
  const token = mintToken(KEY_PREFIXES[given.kind])
  const key: KeyRecord = {
    ...given,
    id: mintUnshardedId('key', given.createdAt),
    hash: hashToken(token),
    token: given.kind === 'public' ? token : null,
    ending: endingOf(token),
    lastUsedAt: null,
    revokedAt: null,
  }
  return { token, key }
}

/** The last characters, by which people recognise a token. */
export function endingOf(token: string): string {
  return token.slice(-ENDING_CHARS)
}

export function hashToken(token: string): Uint8Array {
  return hash('sha256', token, 'buffer')
}

/** Whether the text can be a token. A typo or a scan ends here, without a query. */
export function isWellFormedToken(text: string): boolean {
  if (!TOKEN_PATTERN.test(text)) return false
  const random = text.slice(-KEY_RANDOM_CHARS - KEY_CHECKSUM_CHARS, -KEY_CHECKSUM_CHARS)
  return text.endsWith(checksum(random))
}

export function kindOfToken(token: string): KeyKind | undefined {
  return KEY_KINDS.find((kind) => token.startsWith(KEY_PREFIXES[kind]))
}

export function isAccessToken(token: string): boolean {
  return token.startsWith(ACCESS_TOKEN_PREFIX)
}

/** What Sentry's SDKs report with: `https://key@host/number`. Only for public keys, because apps contain it. */
export function dsnOf(
  { token, projectId }: Pick<KeyRecord, 'token' | 'projectId'>,
  baseUrl: string,
): string | null {
  if (token === null || projectId === null) return null
  return `${baseUrl.replace('://', `://${token}@`).replace(/\/$/, '')}/${projectNumberOf(projectId)}`
}

export type OriginVerdict = 'allowed' | 'origin-not-allowed' | 'secret-key-in-browser'

/** Whether a page may use the key; a page of our own origin may. Without an origin the caller is not a page of another site, but an app or a server. */
export function judgeOrigin(key: KeyRecord, origin: string | undefined, own?: string): OriginVerdict {
  if (origin === undefined) return 'allowed'
  if (key.kind === 'secret') return 'secret-key-in-browser'
  const isListed = key.origins.length === 0 || key.origins.includes(origin)
  return isListed || origin === own ? 'allowed' : 'origin-not-allowed'
}

/** Whether this is an origin as browsers spell it; anything else would never match. */
export function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text
}

/** Creates a token with a checksum, so that a typo is recognised without a query. */
export function mintToken(prefix: string): string {
  const random = Array.from({ length: KEY_RANDOM_CHARS }, () => BASE62.charAt(randomInt(BASE62.length))).join(
    '',
  )
  return prefix + random + checksum(random)
}

function checksum(random: string): string {
  let rest = crc32(random)
  let text = ''
  for (let place = 0; place < KEY_CHECKSUM_CHARS; place++) {
    text = BASE62.charAt(rest % BASE62.length) + text
    rest = Math.floor(rest / BASE62.length)
  }
  return text
}
