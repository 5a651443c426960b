import type { KeyId } from '../../model/ids.ts'
import type { KeyRecord, KeyUse } from '../../model/keys.ts'
import { type KeyColumns, keyValues, NEW_KEY_COLUMNS, toKey } from '../sql/key-rows.ts'
import type { KeyStorage } from '../storage.ts'
import { touchCatalog } from './catalog.ts'
import { type Database, prepared, type Transaction } from './connection.ts'
import { idOf, uuidOf } from './uuids.ts'

const SELECT = 'SELECT k.*, p.id AS project_id FROM keys k LEFT JOIN projects p ON p.seq = k.project'
const SELECT_BY_HASH = prepared('key_by_hash', `${SELECT} WHERE k.hash = $1`)
const SELECT_OF_PROJECT = prepared(
  'keys_of_project',
  `${SELECT} WHERE k.project = (SELECT seq FROM projects WHERE id = $1) ORDER BY k.created_at, k.id`,
)
const SELECT_OF_INSTANCE = prepared(
  'keys_of_instance',
  `${SELECT} WHERE k.project IS NULL ORDER BY k.created_at, k.id`,
)

export function keyStorage(database: Database): KeyStorage {
  return {
    create: (key) => database.transaction((tx) => createKey(tx, key)),
    async findByHash(hash) {
      const [row] = await database.run<KeyRow>(SELECT_BY_HASH(hash))
      return row && keyOf(row)
    },
    async list(projectId) {
      const query = projectId === null ? SELECT_OF_INSTANCE() : SELECT_OF_PROJECT(uuidOf(projectId))
      return (await database.run<KeyRow>(query)).map(keyOf)
    },
    revoke: (id, at) => database.transaction((tx) => revokeKey(tx, id, at)),
    recordUses: (uses) => database.transaction((tx) => recordKeyUses(tx, uses)),
  }
}

async function createKey(tx: Transaction, key: KeyRecord): Promise<'created' | 'no-project'> {
  let seq: number | null = null
  if (key.projectId !== null) {
    // Locked, so that a deletion of the project comes before or after, never in between.
    const [project] = await tx.run<{ seq: number }>({
      text: 'SELECT seq FROM projects WHERE id = $1 AND slug IS NOT NULL FOR UPDATE',
      values: [uuidOf(key.projectId)],
    })
    if (project === undefined) return 'no-project'
    seq = project.seq
  }
  tx.send({
    text: `INSERT INTO keys (id, project, ${NEW_KEY_COLUMNS})
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    values: [uuidOf(key.id), seq, ...keyValues(key)],
  })
  touchCatalog(tx)
  return 'created'
}

async function revokeKey(
  tx: Transaction,
  id: KeyId,
  at: number,
): Promise<'revoked' | 'already-revoked' | 'missing'> {
  const [key] = await tx.run<{ revoked_at: number | null }>({
    text: 'SELECT revoked_at FROM keys WHERE id = $1 FOR UPDATE',
    values: [uuidOf(id)],
  })
  if (key === undefined) return 'missing'
  if (key.revoked_at !== null) return 'already-revoked'
  tx.send({ text: 'UPDATE keys SET revoked_at = $1 WHERE id = $2', values: [at, uuidOf(id)] })
  touchCatalog(tx)
  return 'revoked'
}

async function recordKeyUses(tx: Transaction, uses: readonly KeyUse[]): Promise<void> {
  const rows = uses.map(({ id, at }) => ({ id: uuidOf(id), last_used_at: at }))
  tx.send({
    // Locked in the order of the ids: nodes that do the same at the same time can not lock each other out.
    text: `UPDATE keys k SET last_used_at = greatest(k.last_used_at, u.last_used_at)
      FROM (SELECT k.id, u.last_used_at FROM json_populate_recordset(NULL::keys, $1) u JOIN keys k ON k.id = u.id
        ORDER BY k.id FOR UPDATE OF k) u WHERE k.id = u.id`,
    values: [JSON.stringify(rows)],
  })
}

interface KeyRow extends KeyColumns {
  readonly id: string
  readonly project_id: string | null
}

function keyOf(row: KeyRow): KeyRecord {
  const projectId = row.project_id === null ? null : idOf('prj', row.project_id)
  return toKey({ ...row, hash: new Uint8Array(row.hash) }, { id: idOf('key', row.id), projectId })
}
