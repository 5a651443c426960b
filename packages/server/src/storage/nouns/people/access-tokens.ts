import { MAX_ACCESS_TOKENS } from '@bugle/contract/vocabulary'
import { type AuditStamp, changesBetween } from '../../../model/audit-log.ts'
import type { AccessTokenId, UserId } from '../../../model/ids.ts'
import type { AccessTokenRecord, AccessTokenUse, OwnedToken } from '../../../model/people/access-tokens.ts'
import { all, type Operation, type Operations, one, send, storedId, touchCatalog } from '../../operations.ts'
import type { AccessTokenStorage } from '../../ports/people.ts'
import { ACCESS_TOKENS, USERS } from '../../tables/people.ts'
import { type Acting, recordChange } from '../audit-log.ts'
import { lockUser } from './users.ts'

export function accessTokenStorage({ read, write }: Operations, acting: Acting): AccessTokenStorage {
  return {
    create: (token) => write(createAccessToken, token, acting()),
    find: (id) => read(findToken, id),
    findByHash: (hash) => read(findTokenByHash, hash),
    list: (userId) => read(listTokens, userId),
    revoke: (id) => write(revokeAccessToken, id, acting()),
    recordUses: (uses) => write(recordTokenUses, uses),
  }
}

/** Never the token or its hash. */
const AUDITED = ['name', 'scopes', 'ending', 'expires'] as const

/** With its owner, because an admin may revoke the token of someone else. */
function auditedAs({ id, name }: AccessTokenRecord, email: string | undefined) {
  return { subject: id, subjectName: email === undefined ? name : `${name} (${email})` }
}

export function* createAccessToken(
  token: AccessTokenRecord,
  by: AuditStamp | null,
): Operation<'created' | 'too-many' | 'no-user'> {
  const user = yield* lockUser(token.userId)
  if (user === undefined) return 'no-user'
  const tokens = yield* one<{ count: number }>(
    'SELECT count(*) AS count FROM access_tokens WHERE user_id = $1',
    storedId(token.userId),
  )
  if ((tokens?.count ?? 0) >= MAX_ACCESS_TOKENS) return 'too-many'
  yield* send(ACCESS_TOKENS.insert, ...ACCESS_TOKENS.valuesOf(token))
  const { name, scopes, ending, expiresAt } = token
  const expires = expiresAt === null ? null : new Date(expiresAt).toISOString()
  yield* recordChange(by, {
    action: 'access_token.created',
    ...auditedAs(token, user.email),
    changes: changesBetween(null, { name, scopes, ending, expires }, AUDITED),
  })
  return 'created'
}

export function* revokeAccessToken(
  id: AccessTokenId,
  by: AuditStamp | null,
): Operation<'revoked' | 'missing'> {
  const row = yield* one('DELETE FROM access_tokens WHERE id = $1 RETURNING *', storedId(id))
  if (row === undefined) return 'missing'
  const token = ACCESS_TOKENS.recordOf(row)
  const user = yield* one('SELECT * FROM users WHERE id = $1', storedId(token.userId))
  const email = user && USERS.recordOf(user).email
  yield* recordChange(by, { action: 'access_token.revoked', ...auditedAs(token, email) })
  yield* touchCatalog()
  return 'revoked'
}

export function* recordTokenUses(uses: readonly AccessTokenUse[]): Operation<void> {
  // In the order of the ids, so that nodes that do this at the same time cannot deadlock.
  for (const { id, at } of uses.toSorted((one, other) => (one.id < other.id ? -1 : 1))) {
    yield* send(
      'UPDATE access_tokens SET last_used_at = $1 WHERE id = $2 AND (last_used_at IS NULL OR last_used_at < $1)',
      at,
      storedId(id),
    )
  }
}

function* findToken(id: AccessTokenId): Operation<OwnedToken | undefined> {
  const row = yield* one('SELECT * FROM access_tokens WHERE id = $1', storedId(id))
  return row && (yield* withOwner(ACCESS_TOKENS.recordOf(row)))
}

function* findTokenByHash(hash: Uint8Array): Operation<OwnedToken | undefined> {
  const row = yield* one('SELECT * FROM access_tokens WHERE hash = $1', hash)
  return row && (yield* withOwner(ACCESS_TOKENS.recordOf(row)))
}

function* withOwner(token: AccessTokenRecord): Operation<OwnedToken | undefined> {
  const user = yield* one('SELECT * FROM users WHERE id = $1', storedId(token.userId))
  return user && { token, user: USERS.recordOf(user) }
}

function* listTokens(userId: UserId): Operation<readonly AccessTokenRecord[]> {
  const rows = yield* all('SELECT * FROM access_tokens WHERE user_id = $1 ORDER BY id', storedId(userId))
  return rows.map(ACCESS_TOKENS.recordOf)
}
