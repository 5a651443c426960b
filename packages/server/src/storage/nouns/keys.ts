import type { KeyId, ProjectId } from '../../model/ids.ts'
import type { KeyRecord, KeyUse } from '../../model/keys.ts'
import {
  all,
  type Operation,
  type Operations,
  one,
  readId,
  send,
  storedId,
  touchCatalog,
} from '../operations.ts'
import type { KeyStorage } from '../storage.ts'
import { KEYS } from '../tables.ts'
import { lockProject } from './projects.ts'

export function keyStorage({ read, write }: Operations): KeyStorage {
  return {
    create: (key) => write(createKey, key),
    findByHash: (hash) => read(findKeyByHash, hash),
    list: (projectId) => read(listKeys, projectId),
    revoke: (id, at) => write(revokeKey, id, at),
    recordUses: (uses) => write(recordKeyUses, uses),
  }
}

export function* createKey({ projectId, ...key }: KeyRecord): Operation<'created' | 'no-project'> {
  // Locked, so that the project is deleted before or after this, never in between.
  const project = projectId === null ? null : yield* lockProject(projectId)
  if (project === undefined) return 'no-project'
  yield* send(KEYS.insert, ...KEYS.valuesOf({ ...key, project }))
  yield* touchCatalog()
  return 'created'
}

export function* revokeKey(id: KeyId, at: number): Operation<'revoked' | 'already-revoked' | 'missing'> {
  const key = yield* one<{ revoked_at: number | null }>(
    'SELECT revoked_at FROM keys WHERE id = $1 FOR UPDATE',
    storedId(id),
  )
  if (key === undefined) return 'missing'
  if (key.revoked_at !== null) return 'already-revoked'
  yield* send('UPDATE keys SET revoked_at = $1 WHERE id = $2', at, storedId(id))
  yield* touchCatalog()
  return 'revoked'
}

export function* recordKeyUses(uses: readonly KeyUse[]): Operation<void> {
  // In the order of the ids, so that nodes that do the same at the same moment cannot deadlock.
  for (const { id, at } of uses.toSorted((one, other) => (one.id < other.id ? -1 : 1))) {
    yield* send(
      'UPDATE keys SET last_used_at = $1 WHERE id = $2 AND (last_used_at IS NULL OR last_used_at < $1)',
      at,
      storedId(id),
    )
  }
}

const SELECT = 'SELECT k.*, p.id AS project_id FROM keys k LEFT JOIN projects p ON p.seq = k.project'

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
