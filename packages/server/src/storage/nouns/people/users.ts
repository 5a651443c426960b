import { type AuditStamp, changesBetween } from '../../../model/audit-log.ts'
import { isId, type UserId } from '../../../model/ids.ts'
import {
  type PasswordCommand,
  type ProjectUsers,
  revisionOfUser,
  type Unassignment,
  type UserChange,
  type UserRecord,
} from '../../../model/people/users.ts'
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
import type { LastOfTheirKind, UserStorage } from '../../ports/people.ts'
import { USERS, VIEWS } from '../../tables/people.ts'
import { TABLES } from '../../tables.ts'
import { type Acting, recordChange } from '../audit-log.ts'

export function userStorage(
  { read, write }: Operations,
  acting: Acting,
): Pick<
  UserStorage,
  | ('create' | 'find' | 'list' | 'listOfProject' | 'hasAdmin' | 'update' | 'setPassword' | 'delete')
  | ('nextUnassignment' | 'finishUnassignment')
> {
  return {
    create: (user) => write(createUser, user, acting()),
    find: (idOrEmail) => read(findUser, idOrEmail),
    list: (afterId, limit) => read(listUsers, afterId, limit),
    listOfProject: (listing) => read(listUsersOfProject, listing),
    hasAdmin: () => read(hasAdmin),
    update: (id, changes, ifRevision: string | null = null) =>
      write(updateUser, { id, changes, ifRevision }, acting()),
    setPassword: (command) => write(setPassword, command),
    delete: (id) => write(deleteUser, id, acting()),
    nextUnassignment: () => read(nextUnassignment),
    finishUnassignment: (unassignment) => write(finishUnassignment, unassignment),
  }
}

/** Stores a person, however they were added. If it is an admin, setup links become invalid. */
export function* createUser(user: UserRecord, by: AuditStamp | null): Operation<'created' | 'email-taken'> {
  const created = yield* change(`${USERS.insert} ON CONFLICT (email) DO NOTHING`, ...USERS.valuesOf(user))
  if (created === 0) return 'email-taken'
  if (user.role === 'admin') yield* endSetup()
  yield* recordChange(by, {
    action: 'user.created',
    ...auditedAs(user),
    changes: changesBetween(null, user, AUDITED),
  })
  return 'created'
}

/** Never the hash of the password. */
const AUDITED = ['email', 'name', 'role', 'canSeeSecurity', 'projectIds'] as const

export function auditedAs({ id, email }: UserRecord) {
  return { subject: id, subjectName: email }
}

interface UserUpdate {
  readonly id: UserId
  readonly changes: UserChange
  readonly ifRevision: string | null
}

export function* updateUser(
  { id, changes, ifRevision }: UserUpdate,
  by: AuditStamp | null,
): Operation<'updated' | 'email-taken' | 'missing' | LastOfTheirKind | 'stale'> {
  const losesRole = (changes.role ?? 'admin') !== 'admin'
  const losesSecurity = changes.canSeeSecurity === false
  // Before the person is locked: those who hold these rights are always locked in the same order.
  const mayBeRefused = losesRole || losesSecurity || Boolean(changes.projectIds)
  const last = mayBeRefused ? yield* findLastRights(id) : []
  const before = yield* lockUser(id)
  if (before === undefined) return 'missing'
  const losesProjects = before.projectIds === null && Boolean(changes.projectIds)
  if (last.includes('last-admin') && (losesRole || losesProjects)) return 'last-admin'
  if (last.includes('last-security-holder') && (losesSecurity || losesProjects)) return 'last-security-holder'
  if (ifRevision !== null && ifRevision !== revisionOfUser(before)) return 'stale'
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
  if (hasLostSight(before, user)) yield* checkAssignments(id)
  const changed = changesBetween(before, user, AUDITED)
  if (changed.length > 0) {
    yield* recordChange(by, { action: 'user.updated', ...auditedAs(user), changes: changed })
  }
  yield* touchCatalog()
  return 'updated'
}

export function* setPassword({
  userId,
  at,
  currentHash,
  passwordHash,
  keptSignInId,
}: PasswordCommand): Operation<'set' | 'outdated'> {
  // Otherwise a concurrent change through a link would not be seen.
  const person = yield* lockUser(userId)
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
  if (person) {
    yield* recordChange({ at, actor: userId }, { action: 'user.password_set', ...auditedAs(person) })
  }
  yield* touchCatalog()
  return 'set'
}

export function* deleteUser(
  id: UserId,
  by: AuditStamp | null,
): Operation<'deleted' | 'missing' | LastOfTheirKind> {
  const [last] = yield* findLastRights(id)
  if (last !== undefined) return last
  const user = storedId(id)
  const person = yield* lockUser(id)
  if (person === undefined) return 'missing'
  // Before the person is gone: they may have removed themselves.
  yield* recordChange(by, { action: 'user.removed', ...auditedAs(person) })
  yield* send('DELETE FROM users WHERE id = $1', user)
  for (const table of OWN_TABLES) {
    // Other people use the views that were shared.
    const isOwn = table === VIEWS ? 'user_id = $1 AND is_shared = 0' : 'user_id = $1'
    yield* send(`DELETE FROM ${table.name} WHERE ${isOwn}`, user)
  }
  yield* checkAssignments(id)
  yield* touchCatalog()
  return 'deleted'
}

/** Their assignments are cleared in steps, by a server. */
function* checkAssignments(userId: UserId): Operation<void> {
  yield* send(
    `INSERT INTO unassignments (user_id, round) VALUES ($1, 1)
     ON CONFLICT (user_id) DO UPDATE SET round = unassignments.round + 1`,
    userId,
  )
}

/** Whether issues that a person could see may now be hidden from them. */
function hasLostSight(before: UserRecord, after: UserRecord): boolean {
  const isSecurityLost = before.canSeeSecurity && !after.canSeeSecurity
  const { projectIds } = after
  if (projectIds === null) return isSecurityLost
  return isSecurityLost || (before.projectIds?.some((id) => !projectIds.includes(id)) ?? true)
}

function* nextUnassignment(): Operation<Unassignment | undefined> {
  const row = yield* one<{ user_id: UserId; round: number }>(
    'SELECT user_id, round FROM unassignments ORDER BY user_id LIMIT 1',
  )
  return row && { userId: row.user_id, round: row.round }
}

/** One that was added again in the meantime stays. */
export function* finishUnassignment({ userId, round }: Unassignment): Operation<void> {
  yield* send('DELETE FROM unassignments WHERE user_id = $1 AND round = $2', userId, round)
}

/** The tables with records of a person. */
const OWN_TABLES = TABLES.filter((table) => table.owner === 'user' && table !== USERS)

/** The person, locked until the commit: only one transaction at a time changes their records. */
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

/**
 * Which rights no one else would hold. Locks the people with these rights until the commit, so that two of them cannot
 * remove each other at the same time.
 */
function* findLastRights(id: UserId): Operation<readonly LastOfTheirKind[]> {
  const rows = yield* all(
    "SELECT * FROM users WHERE role = 'admin' OR can_see_security ORDER BY id FOR UPDATE",
  )
  const people = rows.map(USERS.recordOf)
  const admins = people.filter(({ role }) => role === 'admin')
  const holders = people.filter(({ canSeeSecurity }) => canSeeSecurity)
  return [
    ...(isLastOf(admins, id) ? (['last-admin'] as const) : []),
    ...(isLastOf(holders, id) ? (['last-security-holder'] as const) : []),
  ]
}

/** Someone with access to some projects does not replace someone with access to all. */
function isLastOf(people: readonly UserRecord[], id: UserId): boolean {
  const ofAllProjects = people.filter(({ projectIds }) => projectIds === null)
  const [person, ...others] = ofAllProjects.length > 0 ? ofAllProjects : people
  return person?.id === id && others.length === 0
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

const USERS_OF_PROJECT = `SELECT * FROM users
  WHERE (project_ids IS NULL OR project_ids LIKE $1) AND can_see_security >= $2 AND id > $3 ORDER BY id LIMIT $4`

function* listUsersOfProject({
  projectId,
  canSeeSecurity,
  afterId,
  limit,
}: ProjectUsers): Operation<readonly UserRecord[]> {
  const rows = yield* all(
    USERS_OF_PROJECT,
    // A JSON list of ids, without special characters.
    `%"${projectId}"%`,
    Number(canSeeSecurity),
    storedId(afterId ?? FIRST_ID),
    limit,
  )
  return rows.map(USERS.recordOf)
}

/** Before every other id. */
const FIRST_ID = `usr_${'0'.repeat(26)}`
