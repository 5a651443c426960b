import type { ProjectId } from '../../model/ids.ts'
import { forBoth, type Texts } from '../dialects.ts'
import { all, change, List, type Operation, one, send, storedId, touchCatalog } from '../operations.ts'
import { columnOf, type TableInfo } from '../table-kinds.ts'
import { ISSUES, PROJECTS, SEARCH, TABLES } from '../tables.ts'

/** Rows deleted of each table in one step, so that a step is short and a running server hardly notices. */
const DELETE_STEP_ROWS = 500

/** Hides the project and deletes its keys and webhooks at once, then some rows of every table that has any of the project. */
export function* deleteProject(
  id: ProjectId,
): Operation<{ readonly removedIssues: number; readonly isFinished: boolean }> {
  const found = yield* one<{ seq: number }>(
    'UPDATE projects SET slug = NULL WHERE id = $1 RETURNING seq',
    storedId(id),
  )
  if (found === undefined) return { removedIssues: 0, isFinished: true }
  const { seq: project } = found
  for (const table of ['keys', 'webhooks']) yield* send(`DELETE FROM ${table} WHERE project = $1`, project)
  yield* touchCatalog()
  const removedIssues = yield* deleteSomeIssues(project)
  let deleted = removedIssues
  for (const text of DELETIONS) deleted += yield* change(text, project)
  if (deleted > 0) return { removedIssues, isFinished: false }
  yield* send('DELETE FROM projects WHERE seq = $1', project)
  return { removedIssues, isFinished: true }
}

const SELECT_ISSUES = forBoth(
  ({ numberIn, isAfter, orderOf }) =>
    `SELECT ${numberIn('i.number')} AS number FROM issues i WHERE ${isAfter('i.number', '$1', '0')}
     ORDER BY ${orderOf('i.number')} LIMIT ${DELETE_STEP_ROWS}`,
)
const DELETE_ISSUES = forBoth(
  ({ isKeyIn }) => `DELETE FROM issues AS i WHERE ${isKeyIn('i.number', '$1', '$2')}`,
)
// A damaged index is not touched. It is built anew without what is gone.
const IS_INDEX_USABLE: Texts = {
  postgres: 'SELECT 1 FROM projects WHERE seq = $1',
  sqlite: 'SELECT 1 FROM projects WHERE seq = $1 AND indexed_number >= 0',
}
const DELETE_SEARCH: Texts = {
  postgres: 'DELETE FROM search WHERE project = $1 AND number = ANY ($2)',
  sqlite: 'DELETE FROM search WHERE rowid IN (SELECT ($1 << 32) + value FROM json_each($2))',
}

/** With their entries in the full-text index, which finds them only by the numbers of their issues. */
function* deleteSomeIssues(project: number): Operation<number> {
  const rows = yield* all<{ number: number }>(SELECT_ISSUES, project)
  if (rows.length === 0) return 0
  const numbers = new List(rows.map(({ number }) => number))
  if (yield* one(IS_INDEX_USABLE, project)) yield* send(DELETE_SEARCH, project, numbers)
  yield* send(DELETE_ISSUES, project, numbers)
  return rows.length
}

const DELETIONS = TABLES.filter(
  (table) =>
    (table.owner === 'issue' || table.owner === 'project') && ![PROJECTS, ISSUES, SEARCH].includes(table),
).map(deletionOf)

function deletionOf({ name, key, packed = {} }: TableInfo): Texts {
  const row = key.map((field) => packed[field]).find((column) => column !== undefined)
  const columns = key
    .filter((field) => row === undefined || field !== 'project')
    .map((field) => packed[field] ?? columnOf(field))
    .join(', ')
  const isOfProject = row === undefined ? 'project = $1' : `${row} > $1 << 32 AND ${row} < ($1 + 1) << 32`
  return {
    sqlite: `DELETE FROM ${name} WHERE (${columns}) IN
      (SELECT ${columns} FROM ${name} WHERE ${isOfProject} LIMIT ${DELETE_STEP_ROWS})`,
    postgres: `DELETE FROM ${name} WHERE project = $1
      AND ctid = ANY (ARRAY(SELECT ctid FROM ${name} WHERE project = $1 LIMIT ${DELETE_STEP_ROWS}))`,
  }
}
