import type { ProjectId, UserId } from '../../../model/ids.ts'
import type { Lane } from '../../../model/lanes.ts'
import type { UserRecord } from '../../../model/people/users.ts'
import { POSTGRES } from '../../dialects.ts'
import { POSITION_COLUMNS, type PositionRow, revisionOf } from '../../issues/lists/revisions.ts'
import { addStatuses } from '../../issues/lists/status-counters.ts'
import { isHiddenFrom } from '../../nouns/issues/issues.ts'
import { all, type Operation, type Operations, readId, storedId } from '../../operations.ts'
import type { IssuePlace, IssueStorage } from '../../ports/issues.ts'

/** Projects are on the coordinator, and issues and counters are not: each has a statement of its own. */
export function clusterIssues({ read }: Operations): Pick<IssueStorage, 'listUnassignable' | 'revision'> {
  return {
    listUnassignable: (userId, user, limit) => read(listUnassignable, userId, user, limit),
    revision: (projectId, lanes) => read(readRevision, projectId, lanes),
  }
}

const SELECT_POSITIONS = `SELECT ${POSITION_COLUMNS} FROM ${POSTGRES.current('projects')} p WHERE id = $1`

function* readRevision(projectId: ProjectId, lanes: readonly Lane[]): Operation<string> {
  const [row] = yield* addStatuses(yield* all<PositionRow>(SELECT_POSITIONS, storedId(projectId)))
  return row === undefined ? '' : revisionOf(row, lanes)
}

const SELECT_UNASSIGNABLE = `SELECT i.id FROM issues i
  WHERE i.project = $1 AND i.assignee_id = $2 AND ($3::integer = 1 OR ${isHiddenFrom('$4::integer')}) LIMIT $5`

function* listUnassignable(
  userId: UserId,
  user: UserRecord | undefined,
  limit: number,
): Operation<readonly IssuePlace[]> {
  const projects = yield* all<{ seq: number; id: unknown }>(
    'SELECT seq, id FROM projects WHERE slug IS NOT NULL ORDER BY seq',
  )
  const found: IssuePlace[] = []
  for (const { seq, id } of projects) {
    if (found.length >= limit) break
    const projectId = readId('prj', id)
    const isAllowed = user !== undefined && (user.projectIds?.includes(projectId) ?? true)
    const rows = yield* all<{ id: unknown }>(
      SELECT_UNASSIGNABLE,
      ...[seq, userId, Number(!isAllowed), Number(user?.canSeeSecurity ?? false), limit - found.length],
    )
    found.push(...rows.map((row) => ({ projectId, issueId: readId('iss', row.id) })))
  }
  return found
}
