import { MAX_SIGN_INS } from '@bugle/contract/vocabulary'
import type { SignInRecord, SignInUse } from '../../model/users.ts'
import { EXPIRY_STEP_ROWS, type SignInColumns, toSignIn } from '../sql/user-rows.ts'
import type { SignInStorage } from '../storage.ts'
import { touchCatalog } from './catalog.ts'
import { type Database, prepared, type Query, type Transaction } from './connection.ts'
import { lockUser, type UserRow, userOf } from './user-rows.ts'
import { idOf, uuidOf } from './uuids.ts'

const SELECT_BY_HASH = prepared('sign_in_by_hash', 'SELECT * FROM sign_ins WHERE hash = $1')
const SELECT_USER = prepared('user_of_sign_in', 'SELECT * FROM users WHERE id = $1')
const SELECT_OF_USER = prepared(
  'sign_ins_of_user',
  'SELECT * FROM sign_ins WHERE user_id = $1 ORDER BY id DESC',
)

export function signInStorage(database: Database): SignInStorage {
  /** Removes sign-ins, and tells all nodes if there were any. */
  async function end(query: Query): Promise<number> {
    return database.transaction(async (tx) => {
      const ended = await tx.run(query)
      if (ended.length > 0) touchCatalog(tx)
      return ended.length
    })
  }

  return {
    create: (signIn, passwordHash) => database.transaction((tx) => createSignIn(tx, signIn, passwordHash)),
    async findByHash(hash) {
      const [row] = await database.run<SignInRow>(SELECT_BY_HASH(hash))
      const [user] = row === undefined ? [] : await database.run<UserRow>(SELECT_USER(row.user_id))
      return row && user && { user: userOf(user), signIn: signInOf(row) }
    },
    list: async (userId) => (await database.run<SignInRow>(SELECT_OF_USER(uuidOf(userId)))).map(signInOf),
    async end(userId, id) {
      const ended = await end({
        text: 'DELETE FROM sign_ins WHERE user_id = $1 AND id = $2 RETURNING id',
        values: [uuidOf(userId), uuidOf(id)],
      })
      return ended === 0 ? 'missing' : 'ended'
    },
    async endAll(userId) {
      await end({
        text: 'DELETE FROM sign_ins WHERE user_id = $1 RETURNING id',
        values: [uuidOf(userId)],
      })
    },
    recordUses: (uses) => database.transaction((tx) => recordUses(tx, uses)),
    expireSome: (before) => database.transaction((tx) => expireSome(tx, before)),
  }
}

async function createSignIn(
  tx: Transaction,
  { id, userId, hash, userAgent, createdAt, lastSeenAt }: SignInRecord,
  passwordHash: string | null,
): Promise<'created' | 'outdated'> {
  if ((await lockUser(tx, userId))?.password_hash !== passwordHash) return 'outdated'
  tx.send({
    text: `INSERT INTO sign_ins (id, user_id, hash, user_agent, created_at, last_seen_at)
      VALUES ($1, $2, $3, $4, $5, $6)`,
    values: [uuidOf(id), uuidOf(userId), hash, userAgent, createdAt, lastSeenAt],
  })
  const ended = await tx.run({
    text: `DELETE FROM sign_ins WHERE id IN (
        SELECT id FROM sign_ins WHERE user_id = $1 ORDER BY last_seen_at DESC, id DESC OFFSET $2)
      RETURNING id`,
    values: [uuidOf(userId), MAX_SIGN_INS],
  })
  if (ended.length > 0) touchCatalog(tx)
  return 'created'
}

async function recordUses(tx: Transaction, uses: readonly SignInUse[]): Promise<void> {
  const rows = uses.map(({ id, at }) => ({ id: uuidOf(id), last_seen_at: at }))
  tx.send({
    // Locked in the order of the ids: nodes that do the same at the same time can not lock each other out.
    text: `UPDATE sign_ins s SET last_seen_at = greatest(s.last_seen_at, u.last_seen_at)
      FROM (SELECT s.id, u.last_seen_at FROM json_populate_recordset(NULL::sign_ins, $1) u
        JOIN sign_ins s ON s.id = u.id ORDER BY s.id FOR UPDATE OF s) u WHERE s.id = u.id`,
    values: [JSON.stringify(rows)],
  })
}

async function expireSome(
  tx: Transaction,
  { createdAt, lastSeenAt }: { readonly createdAt: number; readonly lastSeenAt: number },
): Promise<boolean> {
  const ended = await tx.run({
    text: `DELETE FROM sign_ins WHERE id IN (
        SELECT id FROM sign_ins WHERE created_at < $1 OR last_seen_at < $2
        ORDER BY id LIMIT $3 FOR UPDATE SKIP LOCKED)
      RETURNING id`,
    values: [createdAt, lastSeenAt, EXPIRY_STEP_ROWS],
  })
  return ended.length === EXPIRY_STEP_ROWS
}

interface SignInRow extends SignInColumns {
  readonly id: string
  readonly user_id: string
}

function signInOf(row: SignInRow): SignInRecord {
  return toSignIn(row, { id: idOf('sgn', row.id), userId: idOf('usr', row.user_id) })
}
