import type { DatabaseSync } from 'node:sqlite'
import { encodeId, idToBytes } from '../../model/ids.ts'
import type { LinkOrder, LinkRecord, UserRecord } from '../../model/users.ts'
import { CAN_BE_USED, MAX_FIRST_LINKS } from '../sql/user-rows.ts'
import type { UserStorage } from '../storage.ts'
import { prepareCommand } from './statements.ts'
import { prepareUserInsert, type UserRow, userOf } from './user-rows.ts'

export function linkReads(reader: DatabaseSync): Pick<UserStorage, 'findLink'> {
  const selectLink = reader.prepare(`SELECT * FROM links WHERE hash = ? AND ${CAN_BE_USED}`)
  const selectUser = reader.prepare('SELECT * FROM users WHERE id = ?')
  return {
    async findLink(hash) {
      const row = selectLink.get(hash) as LinkRow | undefined
      if (row === undefined) return undefined
      const user = row.user_id && (selectUser.get(row.user_id) as UserRow | undefined)
      return {
        hash,
        userId: row.user_id && encodeId('usr', row.user_id),
        createdAt: row.created_at,
        expiresAt: row.expires_at,
        user: user ? userOf(user) : null,
      }
    },
  }
}

/** The operations on one-time links that run in the writer. */
export function prepareLinkWrites(db: DatabaseSync, touchCatalog: () => void) {
  const insertUser = prepareUserInsert(db)
  const insert = prepareCommand(
    db,
    'INSERT INTO links (hash, user_id, created_at, expires_at) VALUES (?, ?, ?, ?)',
  )
  const removeOfUser = prepareCommand(db, 'DELETE FROM links WHERE user_id = ?')
  const removeOldFirst = prepareCommand(
    db,
    `DELETE FROM links WHERE hash IN (
       SELECT hash FROM links WHERE user_id IS NULL ORDER BY created_at DESC LIMIT -1 OFFSET ?)`,
  )
  const take = db.prepare(
    'DELETE FROM links WHERE hash = ? AND expires_at > ? AND user_id IS NOT NULL RETURNING user_id',
  )
  const selectFirst = db.prepare(
    `SELECT 1 FROM links WHERE hash = ? AND expires_at > ? AND user_id IS NULL AND ${CAN_BE_USED}`,
  )
  const removeOver = prepareCommand(db, 'DELETE FROM links WHERE expires_at <= ?')
  const selectUser = db.prepare('SELECT * FROM users WHERE id = ?')
  const updateUser = db.prepare(
    'UPDATE users SET password_hash = ?, name = coalesce(?, name) WHERE id = ? RETURNING *',
  )
  const endSignIns = prepareCommand(db, 'DELETE FROM sign_ins WHERE user_id = ?')

  return {
    createLink({ hash, userId, createdAt, expiresAt }: LinkRecord): 'created' | 'no-user' {
      const id = userId && idToBytes(userId)
      if (id !== null) {
        if (selectUser.get(id) === undefined) return 'no-user'
        removeOfUser.run(id)
      }
      insert.run(hash, id, createdAt, expiresAt)
      removeOldFirst.run(MAX_FIRST_LINKS)
      return 'created'
    },

    acceptLink({
      hash,
      at,
      passwordHash,
      name,
    }: LinkOrder & { readonly passwordHash: string; readonly name: string | null }): UserRecord | 'missing' {
      const link = take.get(hash, at) as { user_id: Uint8Array } | undefined
      const row = link && (updateUser.get(passwordHash, name, link.user_id) as UserRow | undefined)
      if (row === undefined) return 'missing'
      endSignIns.run(row.id)
      touchCatalog()
      return userOf(row)
    },

    acceptFirstLink({ hash, at, user }: LinkOrder & { readonly user: UserRecord }): 'created' | 'missing' {
      if (selectFirst.get(hash, at) === undefined) return 'missing'
      insertUser(user)
      return 'created'
    },

    expireLinks(before: number): void {
      removeOver.run(before)
    },
  }
}

interface LinkRow {
  readonly user_id: Uint8Array | null
  readonly created_at: number
  readonly expires_at: number
}
