import type { DatabaseSync } from 'node:sqlite'
import { encodeId, idToBytes } from '../../model/ids.ts'
import type { UserRecord } from '../../model/users.ts'
import { projectIdsColumn, toUser, type UserColumns } from '../sql/user-rows.ts'
import { prepareCommand } from './statements.ts'

export interface UserRow extends UserColumns {
  readonly id: Uint8Array
}

export function userOf(row: UserRow): UserRecord {
  return toUser(row, encodeId('usr', row.id))
}

/** How a person is written, by whichever way they come. Links for the first person are over then. */
export function prepareUserInsert(db: DatabaseSync): (user: UserRecord) => 'created' | 'email-taken' {
  const insert = prepareCommand(
    db,
    `INSERT INTO users (id, email, name, role, can_see_security, project_ids, password_hash, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (email) DO NOTHING`,
  )
  const removeFirstLinks = prepareCommand(db, 'DELETE FROM links WHERE user_id IS NULL')
  return (user) => {
    const { id, email, name, role, canSeeSecurity, passwordHash, createdAt } = user
    const { changes } = insert.run(
      idToBytes(id),
      email,
      name,
      role,
      Number(canSeeSecurity),
      projectIdsColumn(user),
      passwordHash,
      createdAt,
    )
    if (changes === 0) return 'email-taken'
    removeFirstLinks.run()
    return 'created'
  }
}
