import type { DatabaseSync } from 'node:sqlite'
import { encodeId, idToBytes, type KeyId } from '../../model/ids.ts'
import type { KeyRecord, KeyUse } from '../../model/keys.ts'
import { type KeyColumns, keyValues, NEW_KEY_COLUMNS, toKey } from '../sql/key-rows.ts'
import type { KeyStorage } from '../storage.ts'
import { prepareCommand } from './statements.ts'
import type { Writes } from './writer.ts'

export function keyStorage(reader: DatabaseSync, writes: Writes): KeyStorage {
  const select = `SELECT k.*, p.id AS project_id FROM keys k LEFT JOIN projects p ON p.seq = k.project_seq`
  const selectByHash = reader.prepare(`${select} WHERE k.hash = ?`)
  const selectOfProject = reader.prepare(`${select} WHERE p.id = ? ORDER BY k.created_at, k.id`)
  const selectOfInstance = reader.prepare(`${select} WHERE k.project_seq IS NULL ORDER BY k.created_at, k.id`)

  return {
    create: (key) => writes.run('createKey', key),
    async findByHash(hash) {
      const row = selectByHash.get(hash)
      return row && keyOf(row as unknown as KeyRow)
    },
    async list(projectId) {
      const rows = projectId === null ? selectOfInstance.all() : selectOfProject.all(idToBytes(projectId))
      return (rows as unknown as KeyRow[]).map(keyOf)
    },
    revoke: (id, at) => writes.run('revokeKey', id, at),
    recordUses: (uses) => writes.run('recordKeyUses', uses),
  }
}

/** The operations on keys that run in the writer. */
export function prepareKeyWrites(db: DatabaseSync, touchCatalog: () => void) {
  const insert = prepareCommand(
    db,
    `INSERT INTO keys (id, project_seq, ${NEW_KEY_COLUMNS})
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const selectProject = db.prepare('SELECT seq FROM projects WHERE id = ? AND slug IS NOT NULL')
  const select = db.prepare('SELECT revoked_at FROM keys WHERE id = ?')
  const recordUse = prepareCommand(
    db,
    'UPDATE keys SET last_used_at = max(coalesce(last_used_at, 0), ?) WHERE id = ?',
  )
  const revoke = prepareCommand(db, 'UPDATE keys SET revoked_at = ? WHERE id = ?')

  return {
    createKey(key: KeyRecord): 'created' | 'no-project' {
      const project = key.projectId && selectProject.get(idToBytes(key.projectId))
      if (project === undefined) return 'no-project'
      insert.run(idToBytes(key.id), project && (project as { seq: number }).seq, ...keyValues(key))
      touchCatalog()
      return 'created'
    },

    recordKeyUses(uses: readonly KeyUse[]): void {
      for (const { id, at } of uses) recordUse.run(at, idToBytes(id))
    },

    revokeKey(id: KeyId, at: number): 'revoked' | 'already-revoked' | 'missing' {
      const row = select.get(idToBytes(id)) as { revoked_at: number | null } | undefined
      if (row === undefined) return 'missing'
      if (row.revoked_at !== null) return 'already-revoked'
      revoke.run(at, idToBytes(id))
      touchCatalog()
      return 'revoked'
    },
  }
}

interface KeyRow extends KeyColumns {
  readonly id: Uint8Array
  readonly project_id: Uint8Array | null
}

function keyOf(row: KeyRow): KeyRecord {
  return toKey(row, {
    id: encodeId('key', row.id),
    projectId: row.project_id && encodeId('prj', row.project_id),
  })
}
