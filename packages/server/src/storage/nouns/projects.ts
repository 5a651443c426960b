import { isId, ordinalOf, type ProjectId } from '../../model/ids.ts'
import {
  FIRST_PLACE,
  type ProjectChange,
  type ProjectPlace,
  type ProjectRecord,
  type SdkReports,
  type SdkSettings,
} from '../../model/projects.ts'
import { all, change, type Operation, type Operations, one, storedId, touchCatalog } from '../operations.ts'
import type { ProjectStorage } from '../storage.ts'
import { PROJECTS } from '../tables.ts'
import { deleteProject } from './delete-project.ts'

export function projectStorage({ read, write }: Operations): ProjectStorage {
  return {
    create: (project) => write(createProject, project),
    find: (idOrSlug) => read(findProject, idOrSlug),
    findByOrdinal: (ordinal) => read(findProjectByOrdinal, ordinal),
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
    ...PROJECTS.valuesOf({ ...project, ordinal: ordinalOf(project.id) }),
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

function* findProjectByOrdinal(ordinal: number): Operation<ProjectRecord | undefined> {
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
