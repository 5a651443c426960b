import type { KeyKind, Scope } from '@bugle/contract/vocabulary'
import type { KeyId, ProjectId } from '../../model/ids.ts'
import type { KeyRecord } from '../../model/keys.ts'

/** The columns of a key that both databases have. How its ids are stored differs. */
export interface KeyColumns {
  readonly kind: KeyKind
  readonly name: string | null
  readonly hash: Uint8Array
  readonly token: string | null
  readonly ending: string
  readonly scopes: string
  readonly origins: string
  readonly created_at: number
  readonly last_used_at: number | null
  readonly revoked_at: number | null
}

interface KeyIds {
  readonly id: KeyId
  readonly projectId: ProjectId | null
}

/** What is stored of a new key beside its ids, in the order of {@link keyValues}. */
export const NEW_KEY_COLUMNS = 'kind, name, hash, token, ending, scopes, origins, created_at, revoked_at'

export function keyValues(key: KeyRecord) {
  return [
    key.kind,
    key.name,
    key.hash,
    key.token,
    key.ending,
    JSON.stringify(key.scopes),
    JSON.stringify(key.origins),
    key.createdAt,
    key.revokedAt,
  ] as const
}

export function toKey(row: KeyColumns, { id, projectId }: KeyIds): KeyRecord {
  return {
    id,
    projectId,
    kind: row.kind,
    name: row.name,
    hash: row.hash,
    token: row.token,
    ending: row.ending,
    scopes: JSON.parse(row.scopes) as Scope[],
    origins: JSON.parse(row.origins) as string[],
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    revokedAt: row.revoked_at,
  }
}
