import { MAX_VIEWS } from '@bugle/contract/vocabulary'
import type { UserId, ViewId } from '../../../model/ids.ts'
import type { ViewRecord } from '../../../model/people/users.ts'
import { all, change, type Operation, type Operations, one, send, storedId } from '../../operations.ts'
import type { ViewStorage } from '../../ports/people.ts'
import { VIEWS } from '../../tables/people.ts'
import { lockUser } from './users.ts'

export function viewStorage({ read, write }: Operations): ViewStorage {
  return {
    create: (view) => write(createView, view),
    list: (userId) => read(listViews, userId),
    delete: (userId, id) => write(deleteView, userId, id),
  }
}

export function* createView(view: ViewRecord): Operation<'created' | 'too-many' | 'no-user'> {
  if ((yield* lockUser(view.userId)) === undefined) return 'no-user'
  const views = yield* one<{ count: number }>(
    'SELECT count(*) AS count FROM views WHERE user_id = $1',
    storedId(view.userId),
  )
  if ((views?.count ?? 0) >= MAX_VIEWS) return 'too-many'
  yield* send(VIEWS.insert, ...VIEWS.valuesOf(view))
  return 'created'
}

export function* deleteView(userId: UserId, id: ViewId): Operation<'deleted' | 'missing'> {
  const deleted = yield* change(
    'DELETE FROM views WHERE user_id = $1 AND id = $2',
    storedId(userId),
    storedId(id),
  )
  return deleted === 0 ? 'missing' : 'deleted'
}

function* listViews(userId: UserId): Operation<readonly ViewRecord[]> {
  const rows = yield* all('SELECT * FROM views WHERE user_id = $1 ORDER BY id', storedId(userId))
  return rows.map(VIEWS.recordOf)
}
