import { isSlug } from '@bugle/contract/vocabulary'
import { type AuditStamp, changesBetween } from '../../model/audit-log.ts'
import { isId, type ProjectId, projectNumberOf } from '../../model/ids.ts'
import {
  type AppIssues,
  FIRST_PLACE,
  type ProjectChange,
  type ProjectPlace,
  type ProjectRecord,
  type SdkReports,
  type SdkSettings,
} from '../../model/projects.ts'
import { revisionOf } from '../../model/revisions.ts'
import { forBoth, type Texts } from '../dialects.ts'
import {
  all,
  change,
  changeInPostgres,
  List,
  type Operation,
  type Operations,
  one,
  readId,
  send,
  storedId,
  storedSeq,
  touchCatalog,
} from '../operations.ts'
import type { ProjectStorage } from '../ports/projects.ts'
import { ISSUES, SEARCH } from '../tables/issues.ts'
import { PROJECTS } from '../tables/projects.ts'
import { FILES } from '../tables/reports.ts'
import { columnOf, type TableInfo } from '../tables/table-kinds.ts'
import { TABLES } from '../tables.ts'
import { type Acting, recordChange } from './audit-log.ts'

export function projectStorage({ read, write }: Operations, acting: Acting): ProjectStorage {
  return {
    create: (project) => write(createProject, project, acting()),
    find: (idOrSlug) => read(findProject, idOrSlug),
    findByNumber: (projectNumber) => read(findProjectByNumber, projectNumber),
    list: (after, limit) => read(listProjects, after ?? FIRST_PLACE, limit),
    update: (id, changes, ifRevision: string | null = null) =>
      write(updateProject, { id, changes, ifRevision }, acting()),
    findSdkSettings: (id) => read(findSdkSettings, id),
    saveSdkSettings: (id, settings, ifRevision: string | null = null) =>
      write(saveSdkSettings, { id, settings, ifRevision }, acting()),
    countSdkReports: (id, sinceDay) => read(countSdkReports, id, sinceDay),
    countAppIssues: (id, since) => read(countAppIssues, id, since),
    listDeleted: () => read(listDeletedProjects),
    delete: (id) => write(deleteProject, id, acting()),
    removeDeleted: (id) => write(removeDeletedProject, id),
  }
}

// A project without a slug is being deleted, or imported.
const SELECT = 'SELECT * FROM projects WHERE slug IS NOT NULL'

const AUDITED = [
  'slug',
  'name',
  'isPublic',
  'defaultBranch',
  'description',
  'websiteUrl',
  'repositoryUrl',
] as const
const AUDITED_SETTINGS = [
  'enabled',
  'minSdkVersion',
  'features',
  'featureLimits',
  'crash',
  'refreshAfterSeconds',
] as const

export function* createProject(
  project: ProjectRecord,
  by: AuditStamp | null,
): Operation<'created' | 'slug-taken'> {
  const created = yield* change(
    `${PROJECTS.insert} ON CONFLICT (slug) DO NOTHING`,
    ...PROJECTS.valuesOf({ ...project, ordinal: projectNumberOf(project.id) }),
  )
  if (created === 0) return 'slug-taken'
  yield* recordChange(by, {
    action: 'project.created',
    ...auditedAs(project),
    changes: changesBetween(null, project, AUDITED),
  })
  yield* touchCatalog()
  return 'created'
}

function auditedAs({ id, name }: ProjectRecord) {
  return { projectId: id, subject: id, subjectName: name }
}

/** A change that is refused if the record has changed since it was read. */
interface Update {
  readonly id: ProjectId
  /** See `revisionOf`; `null`: whatever the record is now. */
  readonly ifRevision: string | null
}

export function* updateProject(
  { id, changes, ifRevision }: Update & { readonly changes: ProjectChange },
  by: AuditStamp | null,
): Operation<'updated' | 'slug-taken' | 'missing' | 'stale'> {
  const taken = yield* one(
    'SELECT 1 FROM projects WHERE slug = $1 AND id <> $2',
    changes.slug ?? null,
    storedId(id),
  )
  if (taken !== undefined) return 'slug-taken'
  const row = yield* one(`${SELECT} AND id = $1 FOR UPDATE`, storedId(id))
  if (row === undefined) return 'missing'
  const before = PROJECTS.recordOf(row)
  if (ifRevision !== null && ifRevision !== revisionOf(toProject(row))) return 'stale'
  const after = { ...before, ...changes }
  yield* send(PROJECTS.update, ...PROJECTS.valuesOf(after))
  const changed = changesBetween(before, after, AUDITED)
  if (changed.length > 0) {
    yield* recordChange(by, { action: 'project.updated', ...auditedAs(after), changes: changed })
  }
  yield* touchCatalog()
  return 'updated'
}

export function* saveSdkSettings(
  { id, settings, ifRevision }: Update & { readonly settings: SdkSettings },
  by: AuditStamp | null,
): Operation<'saved' | 'missing' | 'stale'> {
  const row = yield* one<{ sdk_config: string | null }>(`${SELECT} AND id = $1 FOR UPDATE`, storedId(id))
  if (row === undefined) return 'missing'
  const before = JSON.parse(row.sdk_config ?? '{}') as Partial<SdkSettings>
  if (ifRevision !== null && ifRevision !== revisionOf(before)) return 'stale'
  yield* send('UPDATE projects SET sdk_config = $1 WHERE id = $2', JSON.stringify(settings), storedId(id))
  yield* recordChange(by, {
    action: 'sdk_config.updated',
    ...auditedAs(toProject(row)),
    changes: changesBetween(before, settings, AUDITED_SETTINGS),
  })
  yield* touchCatalog()
  return 'saved'
}

/** The sequence number of a project in service. */
export function* findSeq(id: ProjectId): Operation<number | undefined> {
  const row = yield* one<{ seq: number }>(
    'SELECT seq FROM projects WHERE id = $1 AND slug IS NOT NULL',
    storedId(id),
  )
  return row?.seq
}

/** The same, locked until the commit. */
export function* lockProject(id: ProjectId): Operation<number | undefined> {
  const row = yield* one<{ seq: number }>(
    'SELECT seq FROM projects WHERE id = $1 AND slug IS NOT NULL FOR UPDATE',
    storedId(id),
  )
  return row?.seq
}

function* findProject(idOrSlug: string): Operation<ProjectRecord | undefined> {
  if (isId('prj', idOrSlug)) {
    const row = yield* one(`${SELECT} AND id = $1`, storedId(idOrSlug))
    return row && toProject(row)
  }
  // Other text, which may have a character that a database does not accept, is not looked up.
  const row = isSlug(idOrSlug) ? yield* one(`${SELECT} AND slug = $1`, idOrSlug) : undefined
  return row && toProject(row)
}

function* findProjectByNumber(projectNumber: number): Operation<ProjectRecord | undefined> {
  const row = yield* one(`${SELECT} AND ordinal = $1`, projectNumber)
  return row && toProject(row)
}

function* listProjects(
  { createdAt, projectNumber }: ProjectPlace,
  limit: number,
): Operation<readonly ProjectRecord[]> {
  const rows = yield* all(
    `${SELECT} AND (created_at, ordinal) > ($1, $2) ORDER BY created_at, ordinal LIMIT $3`,
    createdAt,
    projectNumber,
    limit,
  )
  return rows.map(toProject)
}

function* findSdkSettings(id: ProjectId): Operation<Partial<SdkSettings> | undefined> {
  const row = yield* one<{ sdk_config: string | null }>(`${SELECT} AND id = $1`, storedId(id))
  return row && (JSON.parse(row.sdk_config ?? '{}') as Partial<SdkSettings>)
}

const COUNT_SDK_REPORTS = forBoth(
  // ";" is the character after ":".
  ({ seq, counts }) =>
    `SELECT value AS version, CAST(sum(count) AS bigint) AS count FROM ${counts}
     WHERE project = ${seq('$1')} AND lane = 0 AND dimension >= 'sdk:' || $2 AND dimension < 'sdk;'
     GROUP BY value ORDER BY value`,
)

function* countSdkReports(id: ProjectId, sinceDay: string): Operation<readonly SdkReports[]> {
  return yield* all<SdkReports>(COUNT_SDK_REPORTS, storedSeq(id), sinceDay)
}

const COUNTED_ISSUES = 10_000
const COUNT_APP_ISSUES = forBoth(
  ({ isAfter, orderOf }) =>
    `SELECT app_version, platform, CAST(count(*) AS bigint) AS count FROM
       (SELECT app_version, platform, created_at, lane FROM issues i WHERE ${isAfter('i.number', '$1', '0')}
        ORDER BY ${orderOf('i.number')} DESC LIMIT ${COUNTED_ISSUES}) AS newest
     WHERE lane = 0 AND created_at >= $2 GROUP BY app_version, platform ORDER BY app_version, platform`,
)

function* countAppIssues(id: ProjectId, since: number): Operation<readonly AppIssues[]> {
  const project = yield* one<{ seq: number }>(`${SELECT} AND id = $1`, storedId(id))
  if (project === undefined) return []
  const rows = yield* all<{ app_version: string | null; platform: string | null; count: number }>(
    COUNT_APP_ISSUES,
    project.seq,
    since,
  )
  return rows.map(({ app_version: appVersion, platform, count }) => ({ appVersion, platform, count }))
}

function toProject(row: object): ProjectRecord {
  const { ordinal: _, ...project } = PROJECTS.recordOf(row)
  return project
}

/** A project that is being imported has the slug that it will get. */
function* listDeletedProjects(): Operation<readonly ProjectId[]> {
  const rows = yield* all<{ id: unknown }>(
    'SELECT id FROM projects WHERE slug IS NULL AND import_slug IS NULL',
  )
  return rows.map(({ id }) => readId('prj', id))
}

/** Rows deleted of each table in one step, so that a step is short and a running server hardly notices. */
const DELETE_STEP_ROWS = 500

interface DeletionStep {
  readonly removedIssues: number
  readonly isFinished: boolean
}

/** Hides the project and deletes its keys, webhooks and saved views at once, then some rows of every table that has any of the project. */
export function* deleteProject(id: ProjectId, by: AuditStamp | null): Operation<DeletionStep> {
  // Recorded with the step that hides the project.
  const row = by && (yield* one(`${SELECT} AND id = $1 FOR UPDATE`, storedId(id)))
  if (row) yield* recordChange(by, { action: 'project.deleted', ...auditedAs(toProject(row)) })
  const found = yield* one<{ seq: number }>(
    'UPDATE projects SET slug = NULL WHERE id = $1 RETURNING seq',
    storedId(id),
  )
  if (found === undefined) return { removedIssues: 0, isFinished: true }
  for (const table of ['keys', 'webhooks']) yield* send(`DELETE FROM ${table} WHERE project = $1`, found.seq)
  // A commit that relies on the head it knows stores nothing without it.
  yield* changeInPostgres('DELETE FROM project_heads WHERE project = $1', found.seq)
  yield* send('DELETE FROM views WHERE project_id = $1', storedId(id))
  yield* touchCatalog()
  return yield* deleteSomeRows(found.seq)
}

/** Continues a deletion. A project with the same id may have been imported since it was finished, and must stay. */
export function* removeDeletedProject(id: ProjectId): Operation<DeletionStep> {
  const found = yield* one<{ seq: number }>(
    'SELECT seq FROM projects WHERE id = $1 AND slug IS NULL AND import_slug IS NULL FOR UPDATE',
    storedId(id),
  )
  return found === undefined ? { removedIssues: 0, isFinished: true } : yield* deleteSomeRows(found.seq)
}

function* deleteSomeRows(project: number): Operation<DeletionStep> {
  const removedIssues = yield* deleteSomeIssues(project)
  let deleted = removedIssues + (yield* deleteSomeFiles(project))
  for (const { text, isOnlyIn } of DELETIONS)
    deleted += yield* isOnlyIn === 'postgres' ? changeInPostgres(text, project) : change(text, project)
  if (deleted > 0) return { removedIssues, isFinished: false }
  // Uploads that were in progress may have left files in the store. A discarded import had none, and the project's files there may
  // belong to the installation that it was exported from.
  yield* send(
    'INSERT INTO deleted_projects (ordinal) SELECT ordinal FROM projects WHERE seq = $1 AND import_slug IS NULL ON CONFLICT DO NOTHING',
    project,
  )
  yield* send('DELETE FROM projects WHERE seq = $1', project)
  return { removedIssues, isFinished: true }
}

const OF_SOME_FILES = `FROM files WHERE project = $1 ORDER BY digest LIMIT ${DELETE_STEP_ROWS}`
// `WHERE true`: otherwise SQLite reads `ON` as part of a join.
const RELEASE_FILES = forBoth(
  ({ rowsOf }) =>
    `INSERT INTO removed_files (object) SELECT object FROM ${rowsOf('$1', 'object', 'text')} WHERE true
     ON CONFLICT DO NOTHING`,
)
const DELETE_FILES = forBoth(
  ({ isAmong }) =>
    `DELETE FROM files WHERE project = $1 AND ${isAmong('digest', `SELECT digest ${OF_SOME_FILES}`)}`,
)

/** The files are removed from the store afterwards. */
function* deleteSomeFiles(project: number): Operation<number> {
  const files = yield* all<{ object: string }>(`SELECT object ${OF_SOME_FILES}`, project)
  if (files.length === 0) return 0
  yield* send(RELEASE_FILES, new List(files.map(({ object }) => object)))
  return yield* change(DELETE_FILES, project)
}

const SELECT_ISSUES = forBoth(
  ({ numberIn, isAfter, orderOf }) =>
    `SELECT ${numberIn('i.number')} AS number FROM issues i WHERE ${isAfter('i.number', '$1', '0')}
     ORDER BY ${orderOf('i.number')} LIMIT ${DELETE_STEP_ROWS}`,
)
const DELETE_ISSUES = forBoth(
  ({ isKeyIn }) => `DELETE FROM issues AS i WHERE ${isKeyIn('i.number', '$1', '$2')}`,
)
// A damaged index is not changed. A rebuild leaves out deleted issues.
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
    (table.owner === 'issue' || table.owner === 'project') &&
    ![PROJECTS, ISSUES, SEARCH, FILES].includes(table),
).map((table) => ({ text: deletionOf(table), isOnlyIn: table.isOnlyIn }))

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
