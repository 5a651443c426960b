import type { UserRecord } from '../../model/users.ts'
import { projectIdsColumn, toUser, type UserColumns } from '../sql/user-rows.ts'
import type { Transaction } from './connection.ts'
import { idOf, uuidOf } from './uuids.ts'

export interface UserRow extends UserColumns {
  readonly id: string
}

export function userOf(row: UserRow): UserRecord {
  return toUser(row, idOf('usr', row.id))
}

/** How a person is written, by whichever way they come. Links for the first person are over then. */
export async function insertUser(tx: Transaction, user: UserRecord): Promise<'created' | 'email-taken'> {
  const { id, email, name, role, canSeeSecurity, passwordHash, createdAt } = user
  const made = await tx.run({
    text: `INSERT INTO users (id, email, name, role, can_see_security, project_ids, password_hash, created_at)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (email) DO NOTHING RETURNING id`,
    values: [uuidOf(id), email, name, role, canSeeSecurity, projectIdsColumn(user), passwordHash, createdAt],
  })
  if (made.length === 0) return 'email-taken'
  tx.send({ text: 'DELETE FROM links WHERE user_id IS NULL', values: [] })
  return 'created'
}

/** The person, locked until the commit: what is theirs is changed by one at a time. */
export async function lockUser(tx: Transaction, id: string): Promise<UserRow | undefined> {
  const [row] = await tx.run<UserRow>({
    text: 'SELECT * FROM users WHERE id = $1 FOR UPDATE',
    values: [uuidOf(id)],
  })
  return row
}
