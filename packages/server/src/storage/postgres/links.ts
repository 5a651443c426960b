import type { FoundLink, LinkOrder, LinkRecord, UserRecord } from '../../model/users.ts'
import { CAN_BE_USED, MAX_FIRST_LINKS } from '../sql/user-rows.ts'
import { touchCatalog } from './catalog.ts'
import { type Database, prepared, type Session, type Transaction } from './connection.ts'
import { insertUser, lockUser, type UserRow, userOf } from './user-rows.ts'
import { idOf, uuidOf } from './uuids.ts'

const SELECT_LINK = prepared('link', `SELECT * FROM links WHERE hash = $1 AND ${CAN_BE_USED}`)
const SELECT_USER = prepared('user_of_link', 'SELECT * FROM users WHERE id = $1')

export function findLink(database: Database, hash: Uint8Array): Promise<FoundLink | undefined> {
  return database.snapshot(async (session) => {
    const [row] = await session.run<LinkRow>(SELECT_LINK(hash))
    if (row === undefined) return undefined
    return {
      hash,
      userId: row.user_id === null ? null : idOf('usr', row.user_id),
      createdAt: row.created_at,
      expiresAt: row.expires_at,
      user: await findOwner(session, row.user_id),
    }
  })
}

export async function createLink(
  tx: Transaction,
  { hash, userId, createdAt, expiresAt }: LinkRecord,
): Promise<'created' | 'no-user'> {
  if (userId !== null) {
    if ((await lockUser(tx, userId)) === undefined) return 'no-user'
    tx.send({ text: 'DELETE FROM links WHERE user_id = $1', values: [uuidOf(userId)] })
  }
  tx.send({
    text: 'INSERT INTO links (hash, user_id, created_at, expires_at) VALUES ($1, $2, $3, $4)',
    values: [hash, userId && uuidOf(userId), createdAt, expiresAt],
  })
  tx.send({
    text: `DELETE FROM links WHERE hash IN (
      SELECT hash FROM links WHERE user_id IS NULL ORDER BY created_at DESC OFFSET $1)`,
    values: [MAX_FIRST_LINKS],
  })
  return 'created'
}

export async function acceptLink(
  tx: Transaction,
  {
    hash,
    at,
    passwordHash,
    name,
  }: LinkOrder & { readonly passwordHash: string; readonly name: string | null },
): Promise<UserRecord | 'missing'> {
  const [link] = await tx.run<{ user_id: string }>({
    text: 'SELECT user_id FROM links WHERE hash = $1 AND expires_at > $2 AND user_id IS NOT NULL',
    values: [hash, at],
  })
  if (link === undefined) return 'missing'
  // The person before the link, like whoever changes the password at the same time: so neither holds what the other
  // waits for. Whoever comes second finds no link.
  await lockUser(tx, idOf('usr', link.user_id))
  const taken = await tx.run({ text: 'DELETE FROM links WHERE hash = $1 RETURNING hash', values: [hash] })
  if (taken.length === 0) return 'missing'
  const [row] = await tx.run<UserRow>({
    text: 'UPDATE users SET password_hash = $1, name = coalesce($2, name) WHERE id = $3 RETURNING *',
    values: [passwordHash, name, link.user_id],
  })
  if (row === undefined) return 'missing'
  tx.send({ text: 'DELETE FROM sign_ins WHERE user_id = $1', values: [row.id] })
  touchCatalog(tx)
  return userOf(row)
}

export async function acceptFirstLink(
  tx: Transaction,
  { hash, at, user }: LinkOrder & { readonly user: UserRecord },
): Promise<'created' | 'missing'> {
  // Nobody else is made until the commit, by a link, the command or an import; people can still be read.
  await tx.run({ text: 'LOCK TABLE users IN SHARE ROW EXCLUSIVE MODE', values: [] })
  const found = await tx.run({
    text: `SELECT 1 FROM links WHERE hash = $1 AND expires_at > $2 AND user_id IS NULL AND ${CAN_BE_USED}`,
    values: [hash, at],
  })
  if (found.length === 0) return 'missing'
  await insertUser(tx, user)
  return 'created'
}

export async function expireLinks(tx: Transaction, before: number): Promise<void> {
  tx.send({ text: 'DELETE FROM links WHERE expires_at <= $1', values: [before] })
}

async function findOwner(session: Session, id: string | null): Promise<UserRecord | null> {
  if (id === null) return null
  const [row] = await session.run<UserRow>(SELECT_USER(id))
  return row === undefined ? null : userOf(row)
}

interface LinkRow {
  readonly user_id: string | null
  readonly created_at: number
  readonly expires_at: number
}
