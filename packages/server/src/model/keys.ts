import type { KeyKind, Scope } from '@bugle/contract/vocabulary'
import type { KeyId, ProjectId } from './ids.ts'

export interface KeyRecord {
  readonly id: KeyId
  /** `null`: the key belongs to the instance. */
  readonly projectId: ProjectId | null
  readonly kind: KeyKind
  readonly name: string | null
  /** SHA-256 of the token. */
  readonly hash: Uint8Array
  /** The token itself, of a public key; a secret one is shown once and not kept. */
  readonly token: string | null
  /** The last characters of the token, to tell keys apart. */
  readonly ending: string
  readonly scopes: readonly Scope[]
  /** The pages that may use the key; empty: all. */
  readonly origins: readonly string[]
  readonly createdAt: number
  /** To the minute or so. */
  readonly lastUsedAt: number | null
  readonly revokedAt: number | null
}

export interface KeyUse {
  readonly id: KeyId
  readonly at: number
}
