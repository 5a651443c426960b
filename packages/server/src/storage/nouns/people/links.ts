import type { AuditStamp } from '../../../model/audit-log.ts'
import type { FoundLink, LinkCommand, LinkRecord, UserRecord } from '../../../model/people/users.ts'
import {
  change,
  lockTable,
  type Operation,
  type Operations,
  one,
  send,
  storedId,
  touchCatalog,
} from '../../operations.ts'
import type { UserStorage } from '../../ports/people.ts'
import { LINKS, USERS } from '../../tables/people.ts'
import { type Acting, recordChange } from '../audit-log.ts'
import { auditedAs, createUser, deleteLinks, lockUser } from './users.ts'

/** Setup links that are kept: each start of an empty server creates one. */
const MAX_FIRST_LINKS = 10
/** A setup link becomes invalid as soon as there is an admin, however they were added. */
const IS_USABLE = "(user_id IS NOT NULL OR NOT EXISTS (SELECT 1 FROM users WHERE role = 'admin'))"

export function linkStorage(
  { read, write }: Operations,
  acting: Acting,
): Pick<UserStorage, 'createLink' | 'findLink' | 'acceptLink' | 'acceptFirstLink' | 'expireLinks'> {
  return {
    createLink: (link) => write(createLink, link, acting()),
    findLink: (hash) => read(findLink, hash),
    acceptLink: (command) => write(acceptLink, command),
    acceptFirstLink: (command) => write(acceptFirstLink, command),
    expireLinks: (before) => write(expireLinks, before),
  }
}

export function* createLink(link: LinkRecord, by: AuditStamp | null): Operation<'created' | 'no-user'> {
  if (link.userId !== null) {
    const user = yield* lockUser(link.userId)
    if (user === undefined) return 'no-user'
    yield* recordChange(by, { action: 'user.link_created', ...auditedAs(user) })
    yield* deleteLinks(link.userId)
  }
  yield* send(LINKS.insert, ...LINKS.valuesOf(link))
  yield* send(
    `DELETE FROM links WHERE user_id IS NULL AND hash NOT IN (
       SELECT hash FROM links WHERE user_id IS NULL ORDER BY created_at DESC LIMIT $1)`,
    MAX_FIRST_LINKS,
  )
  return 'created'
}

export function* acceptLink({
  hash,
  at,
  passwordHash,
  name,
}: LinkCommand & { readonly passwordHash: string; readonly name: string | null }): Operation<
  UserRecord | 'missing'
> {
  const found = yield* one(
    'SELECT * FROM links WHERE hash = $1 AND expires_at > $2 AND user_id IS NOT NULL',
    hash,
    at,
  )
  const userId = found && LINKS.recordOf(found).userId
  if (!userId) return 'missing'
  // The person is locked before the link, in the same order as a password change, so that the two cannot
  // deadlock. The second transaction finds no link.
  yield* lockUser(userId)
  if ((yield* change('DELETE FROM links WHERE hash = $1', hash)) === 0) return 'missing'
  const row = yield* one(
    'UPDATE users SET password_hash = $1, name = coalesce($2, name) WHERE id = $3 RETURNING *',
    passwordHash,
    name,
    storedId(userId),
  )
  if (row === undefined) return 'missing'
  yield* send('DELETE FROM sign_ins WHERE user_id = $1', storedId(userId))
  const user = USERS.recordOf(row)
  yield* recordChange({ at, actor: userId }, { action: 'user.password_set', ...auditedAs(user) })
  yield* touchCatalog()
  return user
}

export function* acceptFirstLink({
  hash,
  at,
  user,
}: LinkCommand & { readonly user: UserRecord }): Operation<'created' | 'email-taken' | 'missing'> {
  // Until the commit no other person is stored, whether by a link, the command line or an import.
  yield* lockTable('users')
  const link = yield* one(
    `SELECT 1 FROM links WHERE hash = $1 AND expires_at > $2 AND user_id IS NULL AND ${IS_USABLE}`,
    hash,
    at,
  )
  return link === undefined ? 'missing' : yield* createUser(user, { at, actor: user.id })
}

export function* expireLinks(before: number): Operation<void> {
  yield* send('DELETE FROM links WHERE expires_at <= $1', before)
}

function* findLink(hash: Uint8Array): Operation<FoundLink | undefined> {
  const row = yield* one(`SELECT * FROM links WHERE hash = $1 AND ${IS_USABLE}`, hash)
  if (row === undefined) return undefined
  const link = LINKS.recordOf(row)
  const user = link.userId && (yield* one('SELECT * FROM users WHERE id = $1', storedId(link.userId)))
  return { ...link, hash, user: user ? USERS.recordOf(user) : null }
}
