import { isId, ordinalOf, type ProjectId } from '../../model/ids.ts'
import {
  FIRST_PLACE,
  type ProjectChange,
  type ProjectRecord,
  type SdkReports,
  type SdkSettings,
} from '../../model/projects.ts'
import type { ProjectStorage } from '../storage.ts'
import { touchCatalog } from './catalog.ts'
import { type Database, prepared, type Query, type Transaction } from './connection.ts'
import { idOf, uuidOf } from './uuids.ts'

/** Rows removed in one step, so that a step is short and a running server hardly notices. */
const DELETE_STEP_ROWS = 500

const COLUMNS = 'id, slug, name, is_public, default_branch, created_at'

// A project without a slug is being deleted.
const SELECT_BY_ID = prepared(
  'project_by_id',
  `SELECT ${COLUMNS} FROM projects WHERE id = $1 AND slug IS NOT NULL`,
)
const SELECT_BY_SLUG = prepared('project_by_slug', `SELECT ${COLUMNS} FROM projects WHERE slug = $1`)
const SELECT_BY_ORDINAL = prepared(
  'project_by_ordinal',
  `SELECT ${COLUMNS} FROM projects WHERE ordinal = $1 AND slug IS NOT NULL`,
)
const SELECT_SOME = prepared(
  'projects',
  `SELECT ${COLUMNS} FROM projects WHERE slug IS NOT NULL
     AND (created_at, ordinal) > ($1, $2) ORDER BY created_at, ordinal LIMIT $3`,
)
const SELECT_SDK_SETTINGS = prepared(
  'sdk_settings',
  'SELECT sdk_config FROM projects WHERE id = $1 AND slug IS NOT NULL',
)
const SELECT_SDK_REPORTS = prepared(
  'sdk_reports',
  // ";" is the character after ":".
  `SELECT value AS version, sum(count)::bigint AS count FROM counters
   WHERE project = (SELECT seq FROM projects WHERE id = $1) AND lane = 0
     AND dimension >= 'sdk:' || $2 AND dimension < 'sdk;'
   GROUP BY value ORDER BY value`,
)

export function projectStorage(database: Database): ProjectStorage {
  async function findOne(query: Query): Promise<ProjectRecord | undefined> {
    const [row] = await database.run<ProjectRow>(query)
    return row && toProject(row)
  }

  return {
    create: (project) => database.transaction((tx) => createProject(tx, project)),
    find: (idOrSlug) =>
      findOne(isId('prj', idOrSlug) ? SELECT_BY_ID(uuidOf(idOrSlug)) : SELECT_BY_SLUG(idOrSlug)),
    findByOrdinal: (ordinal) => findOne(SELECT_BY_ORDINAL(ordinal)),
    list: async (after, limit) => {
      const { createdAt, ordinal } = after ?? FIRST_PLACE
      return (await database.run<ProjectRow>(SELECT_SOME(createdAt, ordinal, limit))).map(toProject)
    },
    update: (id, change) => database.transaction((tx) => updateProject(tx, id, change)),
    async findSdkSettings(id) {
      const [row] = await database.run<{ sdk_config: string | null }>(SELECT_SDK_SETTINGS(uuidOf(id)))
      return row && (JSON.parse(row.sdk_config ?? '{}') as Partial<SdkSettings>)
    },
    saveSdkSettings: (id, settings) => database.transaction((tx) => saveSdkSettings(tx, id, settings)),
    countSdkReports: (id, sinceDay) => database.run<SdkReports>(SELECT_SDK_REPORTS(uuidOf(id), sinceDay)),
    delete: (id) => database.transaction((tx) => deleteProject(tx, id)),
  }
}

async function createProject(tx: Transaction, project: ProjectRecord): Promise<'created' | 'slug-taken'> {
  const { id, slug, name, isPublic, defaultBranch, createdAt } = project
  const made = await tx.run({
    text: `INSERT INTO projects (id, ordinal, slug, name, is_public, default_branch, created_at)
      VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (slug) DO NOTHING RETURNING seq`,
    values: [uuidOf(id), ordinalOf(id), slug, name, isPublic, defaultBranch, createdAt],
  })
  if (made.length === 0) return 'slug-taken'
  touchCatalog(tx)
  return 'created'
}

async function updateProject(
  tx: Transaction,
  id: ProjectId,
  change: ProjectChange,
): Promise<'updated' | 'slug-taken' | 'missing'> {
  const { slug = null, name = null, isPublic = null, defaultBranch = null } = change
  const taken = await tx.run({
    text: 'SELECT 1 FROM projects WHERE slug = $1 AND id <> $2',
    values: [slug, uuidOf(id)],
  })
  if (taken.length > 0) return 'slug-taken'
  const updated = await tx.run({
    text: `UPDATE projects SET slug = coalesce($1, slug), name = coalesce($2, name),
        is_public = coalesce($3, is_public), default_branch = coalesce($4, default_branch)
      WHERE id = $5 AND slug IS NOT NULL RETURNING seq`,
    values: [slug, name, isPublic, defaultBranch, uuidOf(id)],
  })
  if (updated.length === 0) return 'missing'
  touchCatalog(tx)
  return 'updated'
}

async function saveSdkSettings(
  tx: Transaction,
  id: ProjectId,
  settings: SdkSettings,
): Promise<'saved' | 'missing'> {
  const saved = await tx.run({
    text: 'UPDATE projects SET sdk_config = $1 WHERE id = $2 AND slug IS NOT NULL RETURNING seq',
    values: [JSON.stringify(settings), uuidOf(id)],
  })
  if (saved.length === 0) return 'missing'
  touchCatalog(tx)
  return 'saved'
}

/** The tables that may hold much of a project, besides its issues and what is searched of them. */
const GROWING_TABLES = ['events', 'reports', 'report_days', 'submissions', 'deliveries', 'attempts'] as const

async function deleteProject(
  tx: Transaction,
  id: ProjectId,
): Promise<{ removedIssues: number; isFinished: boolean }> {
  const [project] = await tx.run<{ seq: number }>({
    text: 'UPDATE projects SET slug = NULL WHERE id = $1 RETURNING seq',
    values: [uuidOf(id)],
  })
  if (project === undefined) return { removedIssues: 0, isFinished: true }
  const { seq } = project
  for (const table of ['keys', 'webhooks']) {
    tx.send({ text: `DELETE FROM ${table} WHERE project = $1`, values: [seq] })
  }
  touchCatalog(tx)
  const [removedIssues, ...others] = await Promise.all([
    removeSomeIssues(tx, seq),
    ...GROWING_TABLES.map((table) => removeSome(tx, table, seq)),
  ])
  if ([removedIssues, ...others].some((rows) => rows !== 0)) return { removedIssues, isFinished: false }
  tx.send({ text: 'DELETE FROM counters WHERE project = $1', values: [seq] })
  tx.send({ text: 'DELETE FROM projects WHERE seq = $1', values: [seq] })
  return { removedIssues, isFinished: true }
}

async function removeSomeIssues(tx: Transaction, seq: number): Promise<number> {
  const rows = await tx.run<{ number: number }>({
    text: 'SELECT number FROM issues WHERE project = $1 ORDER BY number LIMIT $2',
    values: [seq, DELETE_STEP_ROWS],
  })
  const numbers = rows.map(({ number }) => number)
  for (const table of ['search', 'issues']) {
    tx.send({ text: `DELETE FROM ${table} WHERE project = $1 AND number = ANY ($2)`, values: [seq, numbers] })
  }
  return numbers.length
}

async function removeSome(tx: Transaction, table: string, seq: number): Promise<number> {
  const [row] = await tx.run<{ rows: number }>({
    text: `WITH removed AS (DELETE FROM ${table} WHERE project = $1
        AND ctid = ANY (ARRAY(SELECT ctid FROM ${table} WHERE project = $1 LIMIT $2)) RETURNING 1)
      SELECT count(*) AS rows FROM removed`,
    values: [seq, DELETE_STEP_ROWS],
  })
  return row?.rows ?? 0
}

interface ProjectRow {
  readonly id: string
  readonly slug: string
  readonly name: string
  readonly is_public: boolean
  readonly default_branch: string
  readonly created_at: number
}

function toProject(row: ProjectRow): ProjectRecord {
  return {
    id: idOf('prj', row.id),
    slug: row.slug,
    name: row.name,
    isPublic: row.is_public,
    defaultBranch: row.default_branch,
    createdAt: row.created_at,
  }
}
