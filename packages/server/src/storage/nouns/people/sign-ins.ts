import { MAX_SIGN_INS } from '@bugle/contract/vocabulary'
import type { SignInId, UserId } from '../../../model/ids.ts'
import type { SessionRecord, SignInRecord, SignInUse } from '../../../model/people/users.ts'
import {
  all,
  change,
  type Operation,
  type Operations,
  one,
  send,
  storedId,
  touchCatalog,
} from '../../operations.ts'
import type { SignInStorage } from '../../ports/people.ts'
import { SIGN_INS, USERS } from '../../tables/people.ts'
import { lockUser } from './users.ts'

/** Sign-ins removed in one step. */
const EXPIRY_STEP_ROWS = 500

export function signInStorage({ read, write }: Operations): SignInStorage {
  return {
    create: (signIn, passwordHash) => write(createSignIn, signIn, passwordHash),
    findByHash: (hash) => read(findSession, hash),
    list: (userId) => read(listSignIns, userId),
    end: (userId, id) => write(endSignIn, userId, id),
    endAll: (userId) => write(endSignIns, userId),
    recordUses: (uses) => write(recordSignInUses, uses),
    expireSome: (before) => write(expireSignIns, before),
  }
}

export function* createSignIn(
  signIn: SignInRecord,
  passwordHash: string | null,
): Operation<'created' | 'outdated'> {
  if ((yield* lockUser(signIn.userId))?.passwordHash !== passwordHash) return 'outdated'
  yield* send(SIGN_INS.insert, ...SIGN_INS.valuesOf(signIn))
  const ended = yield* change(
    `DELETE FROM sign_ins WHERE user_id = $1 AND id NOT IN (
       SELECT id FROM sign_ins WHERE user_id = $1 ORDER BY last_seen_at DESC, id DESC LIMIT $2)`,
    storedId(signIn.userId),
    MAX_SIGN_INS,
  )
  if (ended > 0) yield* touchCatalog()
  return 'created'
}

export function* endSignIn(userId: UserId, id: SignInId): Operation<'ended' | 'missing'> {
  const ended = yield* change(
    'DELETE FROM sign_ins WHERE user_id = $1 AND id = $2',
    storedId(userId),
    storedId(id),
  )
  if (ended === 0) return 'missing'
  yield* touchCatalog()
  return 'ended'
}

export function* endSignIns(userId: UserId): Operation<void> {
  const ended = yield* change('DELETE FROM sign_ins WHERE user_id = $1', storedId(userId))
  if (ended > 0) yield* touchCatalog()
}

export function* recordSignInUses(uses: readonly SignInUse[]): Operation<void> {
  // In the order of the ids, so that nodes that do this at the same time cannot deadlock.
  for (const { id, at } of uses.toSorted((one, other) => (one.id < other.id ? -1 : 1))) {
    yield* send('UPDATE sign_ins SET last_seen_at = $1 WHERE id = $2 AND last_seen_at < $1', at, storedId(id))
  }
}

export function* expireSignIns(before: {
  readonly createdAt: number
  readonly lastSeenAt: number
}): Operation<boolean> {
  const expired = yield* change(
    `DELETE FROM sign_ins WHERE id IN (
       SELECT id FROM sign_ins WHERE created_at < $1 OR last_seen_at < $2
       ORDER BY id LIMIT $3 FOR UPDATE SKIP LOCKED)`,
    before.createdAt,
    before.lastSeenAt,
    EXPIRY_STEP_ROWS,
  )
  return expired === EXPIRY_STEP_ROWS
}

function* findSession(hash: Uint8Array): Operation<SessionRecord | undefined> {
  const row = yield* one('SELECT * FROM sign_ins WHERE hash = $1', hash)
  if (row === undefined) return undefined
  const signIn = SIGN_INS.recordOf(row)
  const user = yield* one('SELECT * FROM users WHERE id = $1', storedId(signIn.userId))
  return user && { user: USERS.recordOf(user), signIn }
}

function* listSignIns(userId: UserId): Operation<readonly SignInRecord[]> {
  const rows = yield* all('SELECT * FROM sign_ins WHERE user_id = $1 ORDER BY id DESC', storedId(userId))
  return rows.map(SIGN_INS.recordOf)
}
