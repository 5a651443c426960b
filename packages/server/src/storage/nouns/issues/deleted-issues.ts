import { forBoth } from '../../dialects.ts'
import { TABLES_BY_ISSUE } from '../../issues/issue-removals.ts'
import { SUSPECT_FILES } from '../../issues/reports/suspect-files.ts'
import { all, List, type Operation, type Operations, one, send } from '../../operations.ts'
import type { IssueStorage } from '../../ports/issues.ts'
import { columnOf } from '../../tables/table-kinds.ts'

/**
 * The remaining rows of a deleted issue with many reports are removed in steps of this size. They are hidden
 * until then: events and deliveries are shown only while their issue exists, and its submission ids can be
 * reused.
 */
const DELETE_STEP_ROWS = 500

export function deletedIssueStorage(
  operations: Operations,
  isCluster = false,
): Pick<IssueStorage, 'removeDeleted'> {
  return {
    async removeDeleted(limit = DELETE_STEP_ROWS) {
      const issue = await operations.read(findDeletedIssue)
      return issue !== undefined && operations.writeInBackground(removeDeletedRows, issue, limit, isCluster)
    },
  }
}

interface DeletedIssue {
  readonly project: number
  readonly number: number
  readonly created_position: number
}

const SELECT_DELETED = 'SELECT project, number, created_position FROM deleted_issues'

function* findDeletedIssue(): Operation<DeletedIssue | undefined> {
  return yield* one<DeletedIssue>(`${SELECT_DELETED} ORDER BY project, number LIMIT 1`)
}

/** Removes some rows of a deleted issue; false if there are none left, or another node is removing them. */
export function* removeDeletedRows(
  { project, number }: Pick<DeletedIssue, 'project' | 'number'>,
  limit: number,
  isCluster: boolean,
): Operation<boolean> {
  const issue = yield* one<DeletedIssue>(
    `${SELECT_DELETED} WHERE project = $1 AND number = $2 FOR UPDATE SKIP LOCKED`,
    ...[project, number],
  )
  if (issue === undefined) return false
  const isSomeRemoved =
    (yield* removeEvents(issue, limit)) ||
    (yield* removeReports(issue, limit)) ||
    (yield* removeOthers(issue, limit, isCluster))
  if (!isSomeRemoved) {
    yield* send('DELETE FROM deleted_issues WHERE project = $1 AND number = $2', issue.project, issue.number)
  }
  return true
}

const SELECT_EVENTS = forBoth((dialect) => {
  const position = dialect.numberIn('e.position')
  const isOfIssue = dialect.isKey('e.issue_number', '$1', '$2')
  return `SELECT ${position} AS position FROM events e WHERE ${dialect.isKey('e.position', '$1', '$3')} AND ${isOfIssue}
    UNION ALL SELECT ${position} FROM events e
      WHERE ${isOfIssue} AND e.type <> 'issue.created' AND e.type <> 'issue.deleted' LIMIT $4`
})
// Deliveries before attempts: an attempt being recorded locks its delivery, and is committed by the time the second statement runs.
const DELETE_DELIVERIES = ['deliveries', 'attempts'].map((table) =>
  forBoth(
    ({ isIn }) =>
      `DELETE FROM ${table} WHERE project = $1 AND ${isIn('webhook', '$2')} AND ${isIn('position', '$3')}`,
  ),
)
const DELETE_EVENTS = forBoth(
  ({ isKeyIn }) => `DELETE FROM events AS e WHERE ${isKeyIn('e.position', '$1', '$2')}`,
)

/** Includes their deliveries, of which each webhook may have one: then a step has fewer events. */
function* removeEvents(issue: DeletedIssue, limit: number): Operation<boolean> {
  const { project, number, created_position: first } = issue
  const webhooks = yield* all<{ number: number }>('SELECT number FROM webhooks WHERE project = $1', project)
  const mostEvents = Math.max(1, Math.floor(limit / (1 + webhooks.length)))
  const events = yield* all<{ position: number }>(SELECT_EVENTS, project, number, first, mostEvents)
  if (events.length === 0) return false
  const positions = new List(events.map(({ position }) => position))
  const receivers = new List(webhooks.map((webhook) => webhook.number))
  for (const text of DELETE_DELIVERIES) yield* send(text, project, receivers, positions)
  yield* send(DELETE_EVENTS, project, positions)
  return true
}

const SELECT_REPORTS = forBoth(
  ({ isKey }) =>
    `SELECT r.number, r.submission_id FROM reports r WHERE ${isKey('r.issue_number', '$1', '$2')} LIMIT $3`,
)
// Unless a later submission has taken one of the ids.
const DELETE_SUBMISSIONS = forBoth(
  ({ isKey, isIn }) =>
    `DELETE FROM submissions AS r WHERE r.project = $1 AND ${isIn('r.id', '$3')} AND ${isKey('r.issue_number', '$1', '$2')}`,
)
const DELETE_REPORTS = forBoth(
  ({ isKey, isIn }) =>
    `DELETE FROM reports AS r WHERE ${isKey('r.issue_number', '$1', '$2')} AND ${isIn('r.number', '$3')}`,
)

function* removeReports({ project, number }: DeletedIssue, limit: number): Operation<boolean> {
  const reports = yield* all<{ number: number; submission_id: string | null }>(
    SELECT_REPORTS,
    project,
    number,
    limit,
  )
  if (reports.length === 0) return false
  const ids = reports.flatMap(({ submission_id: id }) => id ?? [])
  yield* send(DELETE_SUBMISSIONS, project, number, new List(ids))
  yield* send(DELETE_REPORTS, project, number, new List(reports.map((report) => report.number)))
  return true
}

/** The other tables with rows of an issue, and the columns that identify it. */
const OTHERS = TABLES_BY_ISSUE.filter(({ name }) => name !== 'reports').map(({ name, key }) => {
  const column = columnOf(key.at(-1) ?? '')
  const { sqlite, postgres } = forBoth(
    ({ isKey, isIn }) => `${isKey('r.issue_number', '$1', '$2')} AND ${isIn(`r.${column}`, '$3')}`,
  )
  const select = forBoth(
    ({ isKey }) => `SELECT r.${column} AS name FROM ${name} r WHERE ${isKey('r.issue_number', '$1', '$2')}`,
  )
  const order = key.map((part) => `r.${columnOf(part)}`).join(', ')
  const isLocated = `ctid = ANY (ARRAY(SELECT r.ctid FROM ${name} r WHERE ${postgres} ORDER BY ${order}))`
  return {
    table: name,
    // In the order of the key: while a table is empty, PostgreSQL uses any index that starts with the project.
    select: {
      sqlite: `${select.sqlite} LIMIT $3`,
      postgres: `${select.postgres} ORDER BY ${order} LIMIT $3`,
    },
    delete: {
      sqlite: `DELETE FROM ${name} AS r WHERE ${sqlite}`,
      // Only by their row locations, for the same reason.
      postgres: `DELETE FROM ${name} WHERE ${isLocated}`,
    },
    // Other rows are at these locations on other nodes.
    deleteOnCluster: `DELETE FROM ${name} WHERE project = $1 AND ${isLocated}`,
  }
})

function* removeOthers(
  { project, number }: DeletedIssue,
  limit: number,
  isCluster: boolean,
): Operation<boolean> {
  for (const texts of OTHERS) {
    const rows = yield* all<{ name: string | number }>(texts.select, project, number, limit)
    if (rows.length === 0) continue
    const names = new List(rows.map(({ name }) => name))
    if (texts.table === 'attachments') yield* send(SUSPECT_FILES, project, number, names)
    yield* send(isCluster ? texts.deleteOnCluster : texts.delete, project, number, names)
    return true
  }
  return false
}
