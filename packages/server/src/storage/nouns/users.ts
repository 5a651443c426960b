import { isId, type UserId } from '../../model/ids.ts'
import type { PasswordCommand, UserChange, UserRecord } from '../../model/users.ts'
import {
  all,
  change,
  type Operation,
  type Operations,
  one,
  send,
  storedId,
  touchCatalog,
} from '../operations.ts'
import type { UserStorage } from '../storage.ts'
import { USERS } from '../tables.ts'

export function userStorage({
  read,
  write,
}: Operations): Pick<
  UserStorage,
  'create' | 'find' | 'list' | 'hasAdmin' | 'update' | 'setPassword' | 'delete'
> {
  return {
    create: (user) => write(createUser, user),
    find: (idOrEmail) => read(findUser, idOrEmail),
    list: (afterId, limit) => read(listUsers, afterId, limit),
    hasAdmin: () => read(hasAdmin),
    update: (id, changes) => write(updateUser, id, changes),
    setPassword: (order) => write(setPassword, order),
    delete: (id) => write(deleteUser, id),
  }
}

/** Stores a person, however they join. With an admin, setup links are over. */
export function* createUser(user: UserRecord): Operation<'created' | 'email-taken'> {
  const created = yield* change(`${USERS.insert} ON CONFLICT (email) DO NOTHING`, ...USERS.valuesOf(user))
  if (created === 0) return 'email-taken'
  if (user.role === 'admin') yield* endSetup()
  return 'created'
}

export function* updateUser(
  id: UserId,
  changes: UserChange,
): Operation<'updated' | 'email-taken' | 'missing' | 'last-admin'> {
  const isDemotion = changes.role !== undefined && changes.role !== 'admin'
  if (isDemotion && (yield* isLastAdmin(id))) return 'last-admin'
  const before = yield* lockUser(id)
  if (before === undefined) return 'missing'
  const user = { ...before, ...changes }
  const taken = yield* one('SELECT 1 FROM users WHERE email = $1 AND id <> $2', user.email, storedId(id))
  if (taken !== undefined) return 'email-taken'
  yield* send(
    'UPDATE users SET email = $1, name = $2, role = $3, can_see_security = $4, project_ids = $5 WHERE id = $6',
    user.email,
    user.name,
    user.role,
    Number(user.canSeeSecurity),
    user.projectIds && JSON.stringify(user.projectIds),
    storedId(id),
  )
  if (user.email !== before.email) yield* deleteLinks(id)
  if (user.role === 'admin') yield* endSetup()
  yield* touchCatalog()
  return 'updated'
}

export function* setPassword({
  userId,
  currentHash,
  passwordHash,
  keptSignInId,
}: PasswordCommand): Operation<'set' | 'outdated'> {
  // Otherwise a change that a link makes at the same moment would not be seen.
  yield* lockUser(userId)
  const [user, kept] = [storedId(userId), storedId(keptSignInId)]
  const set = yield* change(
    `UPDATE users SET password_hash = $1 WHERE id = $2 AND password_hash IS NOT DISTINCT FROM $3
       AND EXISTS (SELECT 1 FROM sign_ins WHERE sign_ins.id = $4 AND user_id = users.id)`,
    passwordHash,
    user,
    currentHash,
    kept,
  )
  if (set === 0) return 'outdated'
  yield* send('DELETE FROM sign_ins WHERE user_id = $1 AND id <> $2', user, kept)
  yield* deleteLinks(userId)
  yield* touchCatalog()
  return 'set'
}

export function* deleteUser(id: UserId): Operation<'deleted' | 'missing' | 'last-admin'> {
  if (yield* isLastAdmin(id)) return 'last-admin'
  const user = storedId(id)
  if ((yield* change('DELETE FROM users WHERE id = $1', user)) === 0) return 'missing'
  yield* send('DELETE FROM sign_ins WHERE user_id = $1', user)
  yield* deleteLinks(id)
  yield* send('DELETE FROM views WHERE user_id = $1', user)
  yield* touchCatalog()
  return 'deleted'
}

/** The person, locked until the commit: what is theirs is changed by one transaction at a time. */
export function* lockUser(id: UserId): Operation<UserRecord | undefined> {
  const row = yield* one('SELECT * FROM users WHERE id = $1 FOR UPDATE', storedId(id))
  return row && USERS.recordOf(row)
}

export function* deleteLinks(userId: UserId): Operation<void> {
  yield* send('DELETE FROM links WHERE user_id = $1', storedId(userId))
}

function* endSetup(): Operation<void> {
  yield* send('DELETE FROM links WHERE user_id IS NULL')
}

function* hasAdmin(): Operation<boolean> {
  return (yield* one("SELECT 1 FROM users WHERE role = 'admin' LIMIT 1")) !== undefined
}

/** Locks the admins until the commit: of two who are removed at once, one stays. */
function* isLastAdmin(id: UserId): Operation<boolean> {
  const admins = yield* all("SELECT * FROM users WHERE role = 'admin' ORDER BY id FOR UPDATE")
  const [admin] = admins.map(USERS.recordOf)
  return admins.length === 1 && admin?.id === id
}

function* findUser(idOrEmail: string): Operation<UserRecord | undefined> {
  const row = isId('usr', idOrEmail)
    ? yield* one('SELECT * FROM users WHERE id = $1', storedId(idOrEmail))
    : yield* one('SELECT * FROM users WHERE email = $1', idOrEmail)
  return row && USERS.recordOf(row)
}

function* listUsers(afterId: UserId | null, limit: number): Operation<readonly UserRecord[]> {
  const rows =
    afterId === null
      ? yield* all('SELECT * FROM users ORDER BY id LIMIT $1', limit)
      : yield* all('SELECT * FROM users WHERE id > $1 ORDER BY id LIMIT $2', storedId(afterId), limit)
  return rows.map(USERS.recordOf)
}
