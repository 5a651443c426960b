import { MAX_SHARED_VIEWS, MAX_VIEWS } from '@bugle/contract/vocabulary'
import type { ProjectId, UserId, ViewId } from '../../../model/ids.ts'
import type { NamedView, ViewChange, ViewRecord } from '../../../model/people/users.ts'
import { all, change, type Operation, type Operations, one, send, storedId } from '../../operations.ts'
import type { ViewStorage } from '../../ports/people.ts'
import { VIEWS } from '../../tables/people.ts'
import { lockProject } from '../projects.ts'
import { lockUser } from './users.ts'

export function viewStorage({ read, write }: Operations): ViewStorage {
  return {
    create: (view) => write(createView, view),
    find: (id) => read(findView, id),
    list: (userId) => read(listViews, userId),
    listOfProject: (userId, projectId) => read(listViewsOfProject, userId, projectId),
    update: (userId, id, changes) => write(updateView, { userId, id, changes }),
    delete: (userId, id) => write(deleteView, userId, id),
    deleteShared: (id) => write(deleteSharedView, id),
  }
}

export function* createView(
  view: ViewRecord,
): Operation<'created' | 'too-many' | 'too-many-shared' | 'no-user' | 'no-project'> {
  if ((yield* lockUser(view.userId)) === undefined) return 'no-user'
  const views = yield* one<{ count: number }>(
    'SELECT count(*) AS count FROM views WHERE user_id = $1',
    storedId(view.userId),
  )
  if ((views?.count ?? 0) >= MAX_VIEWS) return 'too-many'
  const refusal = view.isShared ? yield* refuseSharing(view.projectId) : null
  if (refusal !== null) return refusal
  yield* send(VIEWS.insert, ...VIEWS.valuesOf(view))
  return 'created'
}

/** Whether one more view can be shared. The project is locked, so that only one is shared at a time. */
function* refuseSharing(projectId: ProjectId): Operation<'too-many-shared' | 'no-project' | null> {
  if ((yield* lockProject(projectId)) === undefined) return 'no-project'
  const shared = yield* one<{ count: number }>(
    'SELECT count(*) AS count FROM views WHERE project_id = $1 AND is_shared = 1',
    storedId(projectId),
  )
  return (shared?.count ?? 0) >= MAX_SHARED_VIEWS ? 'too-many-shared' : null
}

interface ViewUpdate {
  readonly userId: UserId
  readonly id: ViewId
  readonly changes: ViewChange
}

export function* updateView({
  userId,
  id,
  changes,
}: ViewUpdate): Operation<'updated' | 'missing' | 'too-many-shared' | 'no-project'> {
  if ((yield* lockUser(userId)) === undefined) return 'missing'
  const row = yield* one('SELECT * FROM views WHERE user_id = $1 AND id = $2', storedId(userId), storedId(id))
  if (row === undefined) return 'missing'
  const before = VIEWS.recordOf(row)
  const after = { ...before, ...changes }
  const refusal = after.isShared && !before.isShared ? yield* refuseSharing(before.projectId) : null
  if (refusal !== null) return refusal
  yield* send(
    'UPDATE views SET name = $1, query = $2, is_shared = $3 WHERE id = $4',
    ...[after.name, after.query, Number(after.isShared), storedId(id)],
  )
  return 'updated'
}

export function* deleteView(userId: UserId, id: ViewId): Operation<'deleted' | 'missing'> {
  const deleted = yield* change(
    'DELETE FROM views WHERE user_id = $1 AND id = $2',
    storedId(userId),
    storedId(id),
  )
  return deleted === 0 ? 'missing' : 'deleted'
}

export function* deleteSharedView(id: ViewId): Operation<'deleted' | 'missing'> {
  const deleted = yield* change('DELETE FROM views WHERE id = $1 AND is_shared = 1', storedId(id))
  return deleted === 0 ? 'missing' : 'deleted'
}

const SELECT = 'SELECT v.*, u.name AS owner_name FROM views v LEFT JOIN users u ON u.id = v.user_id'

function toNamedView(row: object): NamedView {
  return { ...VIEWS.recordOf(row), ownerName: (row as { owner_name: string | null }).owner_name }
}

function* findView(id: ViewId): Operation<NamedView | undefined> {
  const row = yield* one(`${SELECT} WHERE v.id = $1`, storedId(id))
  return row && toNamedView(row)
}

function* listViews(userId: UserId): Operation<readonly NamedView[]> {
  const rows = yield* all(`${SELECT} WHERE v.user_id = $1 ORDER BY v.id`, storedId(userId))
  return rows.map(toNamedView)
}

function* listViewsOfProject(userId: UserId, projectId: ProjectId): Operation<readonly NamedView[]> {
  const rows = yield* all(
    `${SELECT} WHERE v.project_id = $1 AND (v.is_shared = 1 OR v.user_id = $2) ORDER BY v.id`,
    storedId(projectId),
    storedId(userId),
  )
  return rows.map(toNamedView)
}
