import { MAX_VIEWS } from '@bugle/contract/vocabulary'
import type { ViewRecord } from '../../model/users.ts'
import { toView, type ViewColumns } from '../sql/user-rows.ts'
import type { ViewStorage } from '../storage.ts'
import { type Database, prepared, type Transaction } from './connection.ts'
import { lockUser } from './user-rows.ts'
import { idOf, uuidOf } from './uuids.ts'

const SELECT_OF_USER = prepared('views_of_user', 'SELECT * FROM views WHERE user_id = $1 ORDER BY id')

export function viewStorage(database: Database): ViewStorage {
  return {
    create: (view) => database.transaction((tx) => createView(tx, view)),
    list: async (userId) => (await database.run<ViewRow>(SELECT_OF_USER(uuidOf(userId)))).map(viewOf),
    async delete(userId, id) {
      const deleted = await database.transaction((tx) =>
        tx.run({
          text: 'DELETE FROM views WHERE user_id = $1 AND id = $2 RETURNING id',
          values: [uuidOf(userId), uuidOf(id)],
        }),
      )
      return deleted.length === 0 ? 'missing' : 'deleted'
    },
  }
}

async function createView(
  tx: Transaction,
  { id, userId, name, projectId, query, createdAt }: ViewRecord,
): Promise<'created' | 'too-many' | 'no-user'> {
  if ((await lockUser(tx, userId)) === undefined) return 'no-user'
  const [views] = await tx.run<{ count: number }>({
    text: 'SELECT count(*) AS count FROM views WHERE user_id = $1',
    values: [uuidOf(userId)],
  })
  if ((views?.count ?? 0) >= MAX_VIEWS) return 'too-many'
  tx.send({
    text: 'INSERT INTO views (id, user_id, name, project_id, query, created_at) VALUES ($1, $2, $3, $4, $5, $6)',
    values: [uuidOf(id), uuidOf(userId), name, uuidOf(projectId), query, createdAt],
  })
  return 'created'
}

interface ViewRow extends ViewColumns {
  readonly id: string
  readonly user_id: string
  readonly project_id: string
}

function viewOf(row: ViewRow): ViewRecord {
  return toView(row, {
    id: idOf('viw', row.id),
    userId: idOf('usr', row.user_id),
    projectId: idOf('prj', row.project_id),
  })
}
