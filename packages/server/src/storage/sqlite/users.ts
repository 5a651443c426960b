import type { DatabaseSync } from 'node:sqlite'
import { idToBytes, isId, type UserId } from '../../model/ids.ts'
import type { PasswordOrder, UserChange, UserRecord } from '../../model/users.ts'
import { projectIdsColumn } from '../sql/user-rows.ts'
import type { UserStorage } from '../storage.ts'
import { linkReads } from './links.ts'
import { prepareCommand } from './statements.ts'
import { prepareUserInsert, type UserRow, userOf } from './user-rows.ts'
import type { Writes } from './writer.ts'

export function userStorage(reader: DatabaseSync, writes: Writes): UserStorage {
  const selectById = reader.prepare('SELECT * FROM users WHERE id = ?')
  const selectByEmail = reader.prepare('SELECT * FROM users WHERE email = ?')
  const selectSome = reader.prepare('SELECT * FROM users WHERE id > ? ORDER BY id LIMIT ?')

  return {
    create: (user) => writes.run('createUser', user),
    async find(idOrEmail) {
      const row = isId('usr', idOrEmail) ? selectById.get(idToBytes(idOrEmail)) : selectByEmail.get(idOrEmail)
      return row && userOf(row as unknown as UserRow)
    },
    async list(afterId, limit) {
      const after = afterId === null ? new Uint8Array() : idToBytes(afterId)
      return (selectSome.all(after, limit) as unknown as UserRow[]).map(userOf)
    },
    update: (id, change) => writes.run('updateUser', id, change),
    setPassword: (order) => writes.run('setPassword', order),
    delete: (id) => writes.run('deleteUser', id),
    ...linkReads(reader),
    createLink: (link) => writes.run('createLink', link),
    acceptLink: (order) => writes.run('acceptLink', order),
    acceptFirstLink: (order) => writes.run('acceptFirstLink', order),
    expireLinks: (before) => writes.run('expireLinks', before),
  }
}

/** The operations on people that run in the writer. */
export function prepareUserWrites(db: DatabaseSync, touchCatalog: () => void) {
  const insert = prepareUserInsert(db)
  const select = db.prepare('SELECT * FROM users WHERE id = ?')
  const selectEmail = db.prepare('SELECT 1 FROM users WHERE email = ? AND id <> ?')
  const update = prepareCommand(
    db,
    'UPDATE users SET email = ?, name = ?, role = ?, can_see_security = ?, project_ids = ? WHERE id = ?',
  )
  const updatePassword = prepareCommand(
    db,
    `UPDATE users SET password_hash = ? WHERE id = ? AND password_hash IS ?
       AND EXISTS (SELECT 1 FROM sign_ins WHERE sign_ins.id = ? AND user_id = users.id)`,
  )
  const removeLinks = prepareCommand(db, 'DELETE FROM links WHERE user_id = ?')
  const endOthers = prepareCommand(db, 'DELETE FROM sign_ins WHERE user_id = ? AND id <> ?')
  const removeOwn = ['sign_ins', 'links', 'views'].map((table) =>
    prepareCommand(db, `DELETE FROM ${table} WHERE user_id = ?`),
  )
  const remove = prepareCommand(db, 'DELETE FROM users WHERE id = ?')
  const selectOtherAdmin = db.prepare("SELECT 1 FROM users WHERE role = 'admin' AND id <> ? LIMIT 1")
  const isLastAdmin = ({ id, role }: UserRow) => role === 'admin' && selectOtherAdmin.get(id) === undefined

  return {
    createUser: (user: UserRecord): 'created' | 'email-taken' => insert(user),

    updateUser(id: UserId, change: UserChange): 'updated' | 'email-taken' | 'missing' | 'last-admin' {
      const bytes = idToBytes(id)
      const row = select.get(bytes) as UserRow | undefined
      if (row === undefined) return 'missing'
      if (change.role !== undefined && change.role !== 'admin' && isLastAdmin(row)) return 'last-admin'
      if (change.email !== undefined && selectEmail.get(change.email, bytes) !== undefined)
        return 'email-taken'
      const user = { ...userOf(row), ...change }
      const { email, name, role, canSeeSecurity } = user
      update.run(email, name, role, Number(canSeeSecurity), projectIdsColumn(user), bytes)
      if (email !== row.email) removeLinks.run(bytes)
      touchCatalog()
      return 'updated'
    },

    setPassword({ userId, currentHash, passwordHash, keptSignInId }: PasswordOrder): 'set' | 'outdated' {
      const [user, kept] = [idToBytes(userId), idToBytes(keptSignInId)]
      if (updatePassword.run(passwordHash, user, currentHash, kept).changes === 0) return 'outdated'
      endOthers.run(user, kept)
      removeLinks.run(user)
      touchCatalog()
      return 'set'
    },

    deleteUser(id: UserId): 'deleted' | 'missing' | 'last-admin' {
      const row = select.get(idToBytes(id)) as UserRow | undefined
      if (row === undefined) return 'missing'
      if (isLastAdmin(row)) return 'last-admin'
      remove.run(idToBytes(id))
      for (const command of removeOwn) command.run(idToBytes(id))
      touchCatalog()
      return 'deleted'
    },
  }
}
