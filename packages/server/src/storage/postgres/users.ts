import { isId, type UserId } from '../../model/ids.ts'
import type { PasswordOrder, UserChange } from '../../model/users.ts'
import { projectIdsColumn } from '../sql/user-rows.ts'
import type { UserStorage } from '../storage.ts'
import { touchCatalog } from './catalog.ts'
import { type Database, prepared, type Transaction } from './connection.ts'
import { acceptFirstLink, acceptLink, createLink, expireLinks, findLink } from './links.ts'
import { insertUser, lockUser, type UserRow, userOf } from './user-rows.ts'
import { uuidOf } from './uuids.ts'

const SELECT_BY_ID = prepared('user_by_id', 'SELECT * FROM users WHERE id = $1')
const SELECT_BY_EMAIL = prepared('user_by_email', 'SELECT * FROM users WHERE email = $1')
const SELECT_SOME = prepared(
  'users',
  'SELECT * FROM users WHERE $1::uuid IS NULL OR id > $1 ORDER BY id LIMIT $2',
)

export function userStorage(database: Database): UserStorage {
  return {
    create: (user) => database.transaction((tx) => insertUser(tx, user)),
    async find(idOrEmail) {
      const query = isId('usr', idOrEmail) ? SELECT_BY_ID(uuidOf(idOrEmail)) : SELECT_BY_EMAIL(idOrEmail)
      const [row] = await database.run<UserRow>(query)
      return row && userOf(row)
    },
    list: async (afterId, limit) =>
      (await database.run<UserRow>(SELECT_SOME(afterId && uuidOf(afterId), limit))).map(userOf),
    update: (id, change) => database.transaction((tx) => updateUser(tx, id, change)),
    setPassword: (order) => database.transaction((tx) => setPassword(tx, order)),
    delete: (id) => database.transaction((tx) => deleteUser(tx, id)),
    createLink: (link) => database.transaction((tx) => createLink(tx, link)),
    findLink: (hash) => findLink(database, hash),
    acceptLink: (order) => database.transaction((tx) => acceptLink(tx, order)),
    acceptFirstLink: (order) => database.transaction((tx) => acceptFirstLink(tx, order)),
    expireLinks: (before) => database.transaction((tx) => expireLinks(tx, before)),
  }
}

async function updateUser(
  tx: Transaction,
  id: UserId,
  change: UserChange,
): Promise<'updated' | 'email-taken' | 'missing' | 'last-admin'> {
  if (change.role !== undefined && change.role !== 'admin' && (await isLastAdmin(tx, id))) return 'last-admin'
  const row = await lockUser(tx, id)
  if (row === undefined) return 'missing'
  const user = { ...userOf(row), ...change }
  const taken = await tx.run({
    text: 'SELECT 1 FROM users WHERE email = $1 AND id <> $2',
    values: [user.email, uuidOf(id)],
  })
  if (taken.length > 0) return 'email-taken'
  tx.send({
    text: `UPDATE users SET email = $1, name = $2, role = $3, can_see_security = $4, project_ids = $5 WHERE id = $6`,
    values: [user.email, user.name, user.role, user.canSeeSecurity, projectIdsColumn(user), uuidOf(id)],
  })
  if (user.email !== row.email) removeLinks(tx, id)
  touchCatalog(tx)
  return 'updated'
}

async function setPassword(
  tx: Transaction,
  { userId, currentHash, passwordHash, keptSignInId }: PasswordOrder,
): Promise<'set' | 'outdated'> {
  // Only then it is seen what a link has changed at the same time.
  await lockUser(tx, userId)
  const set = await tx.run({
    text: `UPDATE users SET password_hash = $1 WHERE id = $2 AND password_hash IS NOT DISTINCT FROM $3
      AND EXISTS (SELECT 1 FROM sign_ins WHERE sign_ins.id = $4 AND user_id = users.id) RETURNING id`,
    values: [passwordHash, uuidOf(userId), currentHash, uuidOf(keptSignInId)],
  })
  if (set.length === 0) return 'outdated'
  tx.send({
    text: 'DELETE FROM sign_ins WHERE user_id = $1 AND id <> $2',
    values: [uuidOf(userId), uuidOf(keptSignInId)],
  })
  removeLinks(tx, userId)
  touchCatalog(tx)
  return 'set'
}

function removeLinks(tx: Transaction, id: UserId): void {
  tx.send({ text: 'DELETE FROM links WHERE user_id = $1', values: [uuidOf(id)] })
}

/** Locks the admins until the end of the transaction: of two who are removed at once, one stays. */
async function isLastAdmin(tx: Transaction, id: UserId): Promise<boolean> {
  const admins = await tx.run<{ isThis: boolean }>({
    text: `SELECT id = $1 AS "isThis" FROM users WHERE role = 'admin' ORDER BY id FOR UPDATE`,
    values: [uuidOf(id)],
  })
  return admins.length === 1 && admins[0]?.isThis === true
}

async function deleteUser(tx: Transaction, id: UserId): Promise<'deleted' | 'missing' | 'last-admin'> {
  if (await isLastAdmin(tx, id)) return 'last-admin'
  const deleted = await tx.run({
    text: 'DELETE FROM users WHERE id = $1 RETURNING id',
    values: [uuidOf(id)],
  })
  if (deleted.length === 0) return 'missing'
  for (const table of ['sign_ins', 'links', 'views']) {
    tx.send({ text: `DELETE FROM ${table} WHERE user_id = $1`, values: [uuidOf(id)] })
  }
  touchCatalog(tx)
  return 'deleted'
}
