import { type AuditStamp, changesBetween } from '../../../model/audit-log.ts'
import type { KeyId, ProjectId } from '../../../model/ids.ts'
import { type KeyChange, type KeyRecord, type KeyUse, revisionOfKey } from '../../../model/keys.ts'
import {
  all,
  type Operation,
  type Operations,
  one,
  readId,
  send,
  storedId,
  touchCatalog,
} from '../../operations.ts'
import type { KeyStorage } from '../../ports/projects.ts'
import { KEYS } from '../../tables/projects.ts'
import { type Acting, recordChange } from '../audit-log.ts'
import { lockProject } from '../projects.ts'

export function keyStorage({ read, write }: Operations, acting: Acting): KeyStorage {
  return {
    create: (key) => write(createKey, key, acting()),
    findByHash: (hash) => read(findKeyByHash, hash),
    list: (projectId) => read(listKeys, projectId),
    find: (id) => read(findKey, id),
    update: (id, changes, ifRevision: string | null = null) =>
      write(updateKey, { id, changes, ifRevision }, acting()),
    revoke: (id, at) => write(revokeKey, { id, at }, acting()),
    recordUses: (uses) => write(recordKeyUses, uses),
  }
}

/** Never the token or its hash. */
const AUDITED = ['kind', 'name', 'scopes', 'origins', 'ending'] as const

function auditedAs({ id, name, projectId }: KeyRecord) {
  return { projectId, subject: id, subjectName: name }
}

export function* createKey(
  { projectId, ...key }: KeyRecord,
  by: AuditStamp | null,
): Operation<'created' | 'no-project'> {
  // Locked, so that the project is deleted before or after this, never in between.
  const project = projectId === null ? null : yield* lockProject(projectId)
  if (project === undefined) return 'no-project'
  yield* send(KEYS.insert, ...KEYS.valuesOf({ ...key, project }))
  yield* recordChange(by, {
    action: 'key.created',
    ...auditedAs({ ...key, projectId }),
    changes: changesBetween(null, key, AUDITED),
  })
  yield* touchCatalog()
  return 'created'
}

interface KeyUpdate {
  readonly id: KeyId
  readonly changes: KeyChange
  readonly ifRevision: string | null
}

export function* updateKey(
  { id, changes, ifRevision }: KeyUpdate,
  by: AuditStamp | null,
): Operation<KeyRecord | 'missing' | 'stale'> {
  const before = yield* lockKey(id)
  if (before === undefined || before.revokedAt !== null) return 'missing'
  if (ifRevision !== null && ifRevision !== revisionOfKey(before)) return 'stale'
  const after = { ...before, ...changes }
  yield* send(
    'UPDATE keys SET name = $1, origins = $2 WHERE id = $3',
    after.name,
    JSON.stringify(after.origins),
    storedId(id),
  )
  const changed = changesBetween(before, after, AUDITED)
  if (changed.length > 0) {
    yield* recordChange(by, { action: 'key.updated', ...auditedAs(after), changes: changed })
  }
  yield* touchCatalog()
  return after
}

export function* revokeKey(
  { id, at }: KeyUse,
  by: AuditStamp | null,
): Operation<'revoked' | 'already-revoked' | 'missing'> {
  const key = yield* lockKey(id)
  if (key === undefined) return 'missing'
  if (key.revokedAt !== null) return 'already-revoked'
  yield* send('UPDATE keys SET revoked_at = $1 WHERE id = $2', at, storedId(id))
  yield* recordChange(by, { action: 'key.revoked', ...auditedAs(key) })
  yield* touchCatalog()
  return 'revoked'
}

export function* recordKeyUses(uses: readonly KeyUse[]): Operation<void> {
  // In the order of the ids, so that nodes that do this at the same time cannot deadlock.
  for (const { id, at } of uses.toSorted((one, other) => (one.id < other.id ? -1 : 1))) {
    yield* send(
      'UPDATE keys SET last_used_at = $1 WHERE id = $2 AND (last_used_at IS NULL OR last_used_at < $1)',
      at,
      storedId(id),
    )
  }
}

const SELECT = 'SELECT k.*, p.id AS project_id FROM keys k LEFT JOIN projects p ON p.seq = k.project'

function* lockKey(id: KeyId): Operation<KeyRecord | undefined> {
  const row = yield* one<ProjectKeyRow>(`${SELECT} WHERE k.id = $1 FOR UPDATE OF k`, storedId(id))
  return row && toKey(row)
}

function* findKey(id: KeyId): Operation<KeyRecord | undefined> {
  const row = yield* one<ProjectKeyRow>(`${SELECT} WHERE k.id = $1`, storedId(id))
  return row && toKey(row)
}

function* findKeyByHash(hash: Uint8Array): Operation<KeyRecord | undefined> {
  const row = yield* one<ProjectKeyRow>(`${SELECT} WHERE k.hash = $1`, hash)
  return row && toKey(row)
}

function* listKeys(projectId: ProjectId | null): Operation<readonly KeyRecord[]> {
  const rows =
    projectId === null
      ? yield* all<ProjectKeyRow>(`${SELECT} WHERE k.project IS NULL ORDER BY k.created_at, k.id`)
      : yield* all<ProjectKeyRow>(
          `${SELECT} WHERE k.project = (SELECT seq FROM projects WHERE id = $1) ORDER BY k.created_at, k.id`,
          storedId(projectId),
        )
  return rows.map(toKey)
}

interface ProjectKeyRow {
  readonly project_id: unknown
}

function toKey(row: ProjectKeyRow): KeyRecord {
  const { project, ...key } = KEYS.recordOf(row)
  return { ...key, projectId: project === null ? null : readId('prj', row.project_id) }
}
