import { isId, type ProjectId, projectNumberOf } from '../../model/ids.ts'
import {
  FIRST_PLACE,
  type ProjectChange,
  type ProjectPlace,
  type ProjectRecord,
  type SdkReports,
  type SdkSettings,
} from '../../model/projects.ts'
import { forBoth, type Texts } from '../dialects.ts'
import {
  all,
  change,
  List,
  type Operation,
  type Operations,
  one,
  send,
  storedId,
  touchCatalog,
} from '../operations.ts'
import type { ProjectStorage } from '../storage.ts'
import { columnOf, type TableInfo } from '../table-kinds.ts'
import { ISSUES, PROJECTS, SEARCH, TABLES } from '../tables.ts'

export function projectStorage({ read, write }: Operations): ProjectStorage {
  return {
    create: (project) => write(createProject, project),
    find: (idOrSlug) => read(findProject, idOrSlug),
    findByNumber: (ordinal) => read(findProjectByNumber, ordinal),
    list: (after, limit) => read(listProjects, after ?? FIRST_PLACE, limit),
    update: (id, changes) => write(updateProject, id, changes),
    findSdkSettings: (id) => read(findSdkSettings, id),
    saveSdkSettings: (id, settings) => write(saveSdkSettings, id, settings),
    countSdkReports: (id, sinceDay) => read(countSdkReports, id, sinceDay),
    delete: (id) => write(deleteProject, id),
  }
}

// A project without a slug is being deleted, or imported.
const SELECT = 'SELECT * FROM projects WHERE slug IS NOT NULL'

export function* createProject(project: ProjectRecord): Operation<'created' | 'slug-taken'> {
  const created = yield* change(
    `${PROJECTS.insert} ON CONFLICT (slug) DO NOTHING`,
    ...PROJECTS.valuesOf({ ...project, ordinal: projectNumberOf(project.id) }),
  )
  if (created === 0) return 'slug-taken'
  yield* touchCatalog()
  return 'created'
}

export function* updateProject(
  id: ProjectId,
  changes: ProjectChange,
): Operation<'updated' | 'slug-taken' | 'missing'> {
  const { slug = null, name = null, isPublic, defaultBranch = null } = changes
  const taken = yield* one('SELECT 1 FROM projects WHERE slug = $1 AND id <> $2', slug, storedId(id))
  if (taken !== undefined) return 'slug-taken'
  const updated = yield* change(
    `UPDATE projects SET slug = coalesce($1, slug), name = coalesce($2, name),
       is_public = coalesce($3, is_public), default_branch = coalesce($4, default_branch)
     WHERE id = $5 AND slug IS NOT NULL`,
    slug,
    name,
    isPublic === undefined ? null : Number(isPublic),
    defaultBranch,
    storedId(id),
  )
  if (updated === 0) return 'missing'
  yield* touchCatalog()
  return 'updated'
}

export function* saveSdkSettings(id: ProjectId, settings: SdkSettings): Operation<'saved' | 'missing'> {
  const saved = yield* change(
    'UPDATE projects SET sdk_config = $1 WHERE id = $2 AND slug IS NOT NULL',
    JSON.stringify(settings),
    storedId(id),
  )
  if (saved === 0) return 'missing'
  yield* touchCatalog()
  return 'saved'
}

/** The sequence number of a project in service, locked until the commit. */
export function* lockProject(id: ProjectId): Operation<number | undefined> {
  const row = yield* one<{ seq: number }>(
    'SELECT seq FROM projects WHERE id = $1 AND slug IS NOT NULL FOR UPDATE',
    storedId(id),
  )
  return row?.seq
}

function* findProject(idOrSlug: string): Operation<ProjectRecord | undefined> {
  const row = isId('prj', idOrSlug)
    ? yield* one(`${SELECT} AND id = $1`, storedId(idOrSlug))
    : yield* one(`${SELECT} AND slug = $1`, idOrSlug)
  return row && toProject(row)
}

function* findProjectByNumber(ordinal: number): Operation<ProjectRecord | undefined> {
  const row = yield* one(`${SELECT} AND ordinal = $1`, ordinal)
  return row && toProject(row)
}

function* listProjects(
  { createdAt, ordinal }: ProjectPlace,
  limit: number,
): Operation<readonly ProjectRecord[]> {
  const rows = yield* all(
    `${SELECT} AND (created_at, ordinal) > ($1, $2) ORDER BY created_at, ordinal LIMIT $3`,
    createdAt,
    ordinal,
    limit,
  )
  return rows.map(toProject)
}

function* findSdkSettings(id: ProjectId): Operation<Partial<SdkSettings> | undefined> {
  const row = yield* one<{ sdk_config: string | null }>(`${SELECT} AND id = $1`, storedId(id))
  return row && (JSON.parse(row.sdk_config ?? '{}') as Partial<SdkSettings>)
}

function* countSdkReports(id: ProjectId, sinceDay: string): Operation<readonly SdkReports[]> {
  return yield* all<SdkReports>(
    // ";" is the character after ":".
    `SELECT value AS version, CAST(sum(count) AS bigint) AS count FROM counters
     WHERE project = (SELECT seq FROM projects WHERE id = $1) AND lane = 0
       AND dimension >= 'sdk:' || $2 AND dimension < 'sdk;'
     GROUP BY value ORDER BY value`,
    storedId(id),
    sinceDay,
  )
}

function toProject(row: object): ProjectRecord {
  const { ordinal: _, ...project } = PROJECTS.recordOf(row)
  return project
}

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
// A damaged index is not touched. A rebuild leaves out what is gone.
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
