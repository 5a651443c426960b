import type { KeyKind, Scope } from '@bugle/contract/vocabulary'
import type { KeyId, ProjectId } from './ids.ts'
import { revisionOf } from './revisions.ts'

export interface KeyRecord {
  readonly id: KeyId
  /** `null`: the key belongs to the instance. */
  readonly projectId: ProjectId | null
  readonly kind: KeyKind
  readonly name: string | null
  /** SHA-256 of the token. */
  readonly hash: Uint8Array
  /** The token of a public key; a secret one is shown once and not stored. */
  readonly token: string | null
  /** The last characters of the token, to tell keys apart. */
  readonly ending: string
  readonly scopes: readonly Scope[]
  /** The pages that may use the key; empty: all. */
  readonly origins: readonly string[]
  readonly createdAt: number
  /** To about a minute. */
  readonly lastUsedAt: number | null
  readonly revokedAt: number | null
}

export type KeyChange = Partial<Pick<KeyRecord, 'name' | 'origins'>>

/** Changes whenever a person changes the key. */
export function revisionOfKey({ name, origins, revokedAt }: KeyRecord): string {
  return revisionOf({ name, origins, revokedAt })
}

export interface KeyUse {
  readonly id: KeyId
  readonly at: number
}
