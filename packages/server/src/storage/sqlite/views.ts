import type { DatabaseSync } from 'node:sqlite'
import { MAX_VIEWS } from '@bugle/contract/vocabulary'
import { encodeId, idToBytes, type UserId, type ViewId } from '../../model/ids.ts'
import type { ViewRecord } from '../../model/users.ts'
import { toView, type ViewColumns } from '../sql/user-rows.ts'
import type { ViewStorage } from '../storage.ts'
import { prepareCommand } from './statements.ts'
import type { Writes } from './writer.ts'

export function viewStorage(reader: DatabaseSync, writes: Writes): ViewStorage {
  const selectOfUser = reader.prepare('SELECT * FROM views WHERE user_id = ? ORDER BY id')
  return {
    create: (view) => writes.run('createView', view),
    list: async (userId) => (selectOfUser.all(idToBytes(userId)) as unknown as ViewRow[]).map(viewOf),
    delete: (userId, id) => writes.run('deleteView', userId, id),
  }
}

/** The operations on saved views that run in the writer. */
export function prepareViewWrites(db: DatabaseSync) {
  const selectUser = db.prepare('SELECT 1 FROM users WHERE id = ?')
  const count = db.prepare('SELECT count(*) AS count FROM views WHERE user_id = ?')
  const insert = prepareCommand(
    db,
    'INSERT INTO views (id, user_id, name, project_id, query, created_at) VALUES (?, ?, ?, ?, ?, ?)',
  )
  const remove = prepareCommand(db, 'DELETE FROM views WHERE user_id = ? AND id = ?')

  return {
    createView({
      id,
      userId,
      name,
      projectId,
      query,
      createdAt,
    }: ViewRecord): 'created' | 'too-many' | 'no-user' {
      const user = idToBytes(userId)
      if (selectUser.get(user) === undefined) return 'no-user'
      if ((count.get(user) as { count: number }).count >= MAX_VIEWS) return 'too-many'
      insert.run(idToBytes(id), user, name, idToBytes(projectId), query, createdAt)
      return 'created'
    },

    deleteView(userId: UserId, id: ViewId): 'deleted' | 'missing' {
      return remove.run(idToBytes(userId), idToBytes(id)).changes === 0 ? 'missing' : 'deleted'
    },
  }
}

interface ViewRow extends ViewColumns {
  readonly id: Uint8Array
  readonly user_id: Uint8Array
  readonly project_id: Uint8Array
}

function viewOf(row: ViewRow): ViewRecord {
  return toView(row, {
    id: encodeId('viw', row.id),
    userId: encodeId('usr', row.user_id),
    projectId: encodeId('prj', row.project_id),
  })
}
