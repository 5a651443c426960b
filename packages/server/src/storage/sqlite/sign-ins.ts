import type { DatabaseSync } from 'node:sqlite'
import { MAX_SIGN_INS } from '@bugle/contract/vocabulary'
import { encodeId, idToBytes, type SignInId, type UserId } from '../../model/ids.ts'
import type { SignInRecord, SignInUse } from '../../model/users.ts'
import { EXPIRY_STEP_ROWS, type SignInColumns, toSignIn } from '../sql/user-rows.ts'
import type { SignInStorage } from '../storage.ts'
import { prepareCommand } from './statements.ts'
import { type UserRow, userOf } from './user-rows.ts'
import type { Writes } from './writer.ts'

export function signInStorage(reader: DatabaseSync, writes: Writes): SignInStorage {
  const selectByHash = reader.prepare('SELECT * FROM sign_ins WHERE hash = ?')
  const selectUser = reader.prepare('SELECT * FROM users WHERE id = ?')
  const selectOfUser = reader.prepare('SELECT * FROM sign_ins WHERE user_id = ? ORDER BY id DESC')

  return {
    create: (signIn, passwordHash) => writes.run('createSignIn', signIn, passwordHash),
    async findByHash(hash) {
      const row = selectByHash.get(hash) as SignInRow | undefined
      const user = row && (selectUser.get(row.user_id) as UserRow | undefined)
      return user && { user: userOf(user), signIn: signInOf(row) }
    },
    list: async (userId) => (selectOfUser.all(idToBytes(userId)) as unknown as SignInRow[]).map(signInOf),
    end: (userId, id) => writes.run('endSignIn', userId, id),
    endAll: (userId) => writes.run('endSignIns', userId),
    recordUses: (uses) => writes.run('recordSignInUses', uses),
    expireSome: (before) => writes.run('expireSignIns', before),
  }
}

/** The operations on sign-ins that run in the writer. */
export function prepareSignInWrites(db: DatabaseSync, touchCatalog: () => void) {
  const selectUser = db.prepare('SELECT 1 FROM users WHERE id = ? AND password_hash IS ?')
  const insert = prepareCommand(
    db,
    'INSERT INTO sign_ins (id, user_id, hash, user_agent, created_at, last_seen_at) VALUES (?, ?, ?, ?, ?, ?)',
  )
  const endStalest = prepareCommand(
    db,
    `DELETE FROM sign_ins WHERE id IN (
       SELECT id FROM sign_ins WHERE user_id = ? ORDER BY last_seen_at DESC, id DESC LIMIT -1 OFFSET ?)`,
  )
  const end = prepareCommand(db, 'DELETE FROM sign_ins WHERE user_id = ? AND id = ?')
  const endOfUser = prepareCommand(db, 'DELETE FROM sign_ins WHERE user_id = ?')
  const recordUse = prepareCommand(db, 'UPDATE sign_ins SET last_seen_at = max(last_seen_at, ?) WHERE id = ?')
  const expire = prepareCommand(
    db,
    `DELETE FROM sign_ins WHERE id IN (
       SELECT id FROM sign_ins WHERE created_at < ? OR last_seen_at < ? LIMIT ?)`,
  )

  return {
    createSignIn(signIn: SignInRecord, passwordHash: string | null): 'created' | 'outdated' {
      const { id, userId, hash, userAgent, createdAt, lastSeenAt } = signIn
      const user = idToBytes(userId)
      if (selectUser.get(user, passwordHash) === undefined) return 'outdated'
      insert.run(idToBytes(id), user, hash, userAgent, createdAt, lastSeenAt)
      if (endStalest.run(user, MAX_SIGN_INS).changes > 0) touchCatalog()
      return 'created'
    },

    endSignIn(userId: UserId, id: SignInId): 'ended' | 'missing' {
      if (end.run(idToBytes(userId), idToBytes(id)).changes === 0) return 'missing'
      touchCatalog()
      return 'ended'
    },

    endSignIns(userId: UserId): void {
      endOfUser.run(idToBytes(userId))
      touchCatalog()
    },

    recordSignInUses(uses: readonly SignInUse[]): void {
      for (const { id, at } of uses) recordUse.run(at, idToBytes(id))
    },

    expireSignIns({
      createdAt,
      lastSeenAt,
    }: {
      readonly createdAt: number
      readonly lastSeenAt: number
    }): boolean {
      return expire.run(createdAt, lastSeenAt, EXPIRY_STEP_ROWS).changes === EXPIRY_STEP_ROWS
    },
  }
}

interface SignInRow extends SignInColumns {
  readonly id: Uint8Array
  readonly user_id: Uint8Array
}

function signInOf(row: SignInRow): SignInRecord {
  return toSignIn(row, { id: encodeId('sgn', row.id), userId: encodeId('usr', row.user_id) })
}
