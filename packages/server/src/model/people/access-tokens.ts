import { type Scope, scopesOf } from '@bugle/contract/vocabulary'
import type { AccessTokenId, UserId } from '../ids.ts'
import type { UserRecord } from './users.ts'

/** A personal access token: a key of a person. */
export interface AccessTokenRecord {
  readonly id: AccessTokenId
  readonly userId: UserId
  readonly name: string
  /** SHA-256 of the token, which is shown once and not stored. */
  readonly hash: Uint8Array
  /** The last characters of the token, to tell tokens apart. */
  readonly ending: string
  /** What it may do, as far as the person may: see {@link scopesOfToken}. */
  readonly scopes: readonly Scope[]
  readonly createdAt: number
  /** `null`: it does not expire. */
  readonly expiresAt: number | null
  /** To about a minute. */
  readonly lastUsedAt: number | null
}

/** A token and its owner. */
export interface OwnedToken {
  readonly token: AccessTokenRecord
  readonly user: UserRecord
}

export interface AccessTokenUse {
  readonly id: AccessTokenId
  readonly at: number
}

/** What a request with the token may do: never more than its owner may at that time. */
export function scopesOfToken({ token, user }: OwnedToken): readonly Scope[] {
  const held = scopesOf(user.role, user.canSeeSecurity)
  return token.scopes.filter((scope) => held.includes(scope))
}

export function isExpired({ expiresAt }: AccessTokenRecord, now: number): boolean {
  return expiresAt !== null && expiresAt <= now
}
