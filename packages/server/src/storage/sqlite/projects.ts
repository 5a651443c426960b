import type { DatabaseSync } from 'node:sqlite'
import { encodeId, idToBytes, isId, ordinalOf, type ProjectId } from '../../model/ids.ts'
import {
  FIRST_PLACE,
  type ProjectChange,
  type ProjectRecord,
  type SdkReports,
  type SdkSettings,
} from '../../model/projects.ts'
import type { ProjectStorage } from '../storage.ts'
import { keyRange } from './row-keys.ts'
import { prepareCommand, prepareLater } from './statements.ts'
import type { Writes } from './writer.ts'

/** Rows removed in one step, so that a step stays well under 20 ms and a running server hardly notices. */
const DELETE_STEP_ROWS = 500

const COLUMNS = 'id, slug, name, is_public, default_branch, created_at'

export function projectStorage(reader: DatabaseSync, writes: Writes): ProjectStorage {
  // A project without a slug is being deleted.
  const selectById = reader.prepare(`SELECT ${COLUMNS} FROM projects WHERE id = ? AND slug IS NOT NULL`)
  const selectBySlug = reader.prepare(`SELECT ${COLUMNS} FROM projects WHERE slug = ?`)
  const selectByOrdinal = reader.prepare(
    `SELECT ${COLUMNS} FROM projects WHERE ordinal = ? AND slug IS NOT NULL`,
  )
  const selectSdkSettings = reader.prepare(
    'SELECT sdk_config FROM projects WHERE id = ? AND slug IS NOT NULL',
  )
  const selectSdkReports = reader.prepare(
    // ";" is the character after ":".
    `SELECT value AS version, sum(count) AS count FROM counters
     WHERE project_seq = (SELECT seq FROM projects WHERE id = ?) AND lane = 0
       AND dimension >= 'sdk:' || ? AND dimension < 'sdk;'
     GROUP BY value ORDER BY value`,
  )
  const selectSome = reader.prepare(
    `SELECT ${COLUMNS} FROM projects WHERE slug IS NOT NULL
       AND (created_at, ordinal) > (?, ?) ORDER BY created_at, ordinal LIMIT ?`,
  )

  return {
    create: (project) => writes.run('createProject', project),
    async find(idOrSlug) {
      const row = isId('prj', idOrSlug) ? selectById.get(idToBytes(idOrSlug)) : selectBySlug.get(idOrSlug)
      return row && toProject(row as unknown as ProjectRow)
    },
    async findByOrdinal(ordinal) {
      const row = selectByOrdinal.get(ordinal)
      return row && toProject(row as unknown as ProjectRow)
    },
    list: async (after, limit) => {
      const { createdAt, ordinal } = after ?? FIRST_PLACE
      return (selectSome.all(createdAt, ordinal, limit) as unknown as ProjectRow[]).map(toProject)
    },
    update: (id, change) => writes.run('updateProject', id, change),
    async findSdkSettings(id) {
      const row = selectSdkSettings.get(idToBytes(id)) as { sdk_config: string | null } | undefined
      return row && (JSON.parse(row.sdk_config ?? '{}') as Partial<SdkSettings>)
    },
    saveSdkSettings: (id, settings) => writes.run('saveSdkSettings', id, settings),
    countSdkReports: async (id, sinceDay) =>
      selectSdkReports.all(idToBytes(id), sinceDay) as unknown as SdkReports[],
    delete: (id) => writes.run('deleteProject', id),
  }
}

/** The operations on projects that run in the writer. */
export function prepareProjectWrites(db: DatabaseSync, touchCatalog: () => void) {
  const selectSlug = db.prepare('SELECT 1 FROM projects WHERE slug = ? AND id <> ?')
  const insert = prepareCommand(
    db,
    `INSERT INTO projects (id, ordinal, slug, name, is_public, default_branch, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)`,
  )
  const update = prepareCommand(
    db,
    `UPDATE projects SET slug = coalesce(?, slug), name = coalesce(?, name),
       is_public = coalesce(?, is_public), default_branch = coalesce(?, default_branch)
     WHERE id = ? AND slug IS NOT NULL`,
  )
  const updateSdkSettings = prepareCommand(
    db,
    'UPDATE projects SET sdk_config = ? WHERE id = ? AND slug IS NOT NULL',
  )
  const selectSeq = db.prepare('SELECT seq, indexed_number FROM projects WHERE id = ?')
  const hide = prepareCommand(db, 'UPDATE projects SET slug = NULL WHERE seq = ?')
  const removeKeys = prepareCommand(db, 'DELETE FROM keys WHERE project_seq = ?')
  const removeIssues = prepareCommand(
    db,
    'DELETE FROM issues WHERE row IN (SELECT row FROM issues WHERE row > ? AND row < ? LIMIT ?)',
  )
  const removeEvents = prepareCommand(
    db,
    'DELETE FROM events WHERE row IN (SELECT row FROM events WHERE row > ? AND row < ? LIMIT ?)',
  )
  const removeSubmissions = prepareCommand(
    db,
    `DELETE FROM submissions WHERE project_seq = ?1
       AND id IN (SELECT id FROM submissions WHERE project_seq = ?1 LIMIT ?2)`,
  )
  const removeReports = prepareCommand(
    db,
    `DELETE FROM reports WHERE (issue_row, number) IN
       (SELECT issue_row, number FROM reports WHERE issue_row > ? AND issue_row < ? LIMIT ?)`,
  )
  const removeReportDays = prepareCommand(
    db,
    `DELETE FROM report_days WHERE (issue_row, day) IN
       (SELECT issue_row, day FROM report_days WHERE issue_row > ? AND issue_row < ? LIMIT ?)`,
  )
  const removeSearch = prepareLater(() => {
    const removal = prepareCommand(
      db,
      'DELETE FROM search WHERE rowid IN (SELECT rowid FROM search WHERE rowid > ? AND rowid < ? LIMIT ?)',
    )
    return (low: bigint, high: bigint, limit: number) => removal.run(low, high, limit).changes
  })
  const removeWebhooks = prepareCommand(db, 'DELETE FROM webhooks WHERE row > ? AND row < ?')
  const removeDeliveries = prepareCommand(
    db,
    `DELETE FROM deliveries WHERE (webhook_row, position) IN
       (SELECT webhook_row, position FROM deliveries WHERE webhook_row > ? AND webhook_row < ? LIMIT ?)`,
  )
  const removeAttempts = prepareCommand(
    db,
    `DELETE FROM attempts WHERE (webhook_row, position, number) IN
       (SELECT webhook_row, position, number FROM attempts WHERE webhook_row > ? AND webhook_row < ? LIMIT ?)`,
  )
  const removeCounters = prepareCommand(db, 'DELETE FROM counters WHERE project_seq = ?')
  const remove = prepareCommand(db, 'DELETE FROM projects WHERE seq = ?')

  return {
    createProject(project: ProjectRecord): 'created' | 'slug-taken' {
      const id = idToBytes(project.id)
      if (selectSlug.get(project.slug, id) !== undefined) return 'slug-taken'
      const { slug, name, isPublic, defaultBranch, createdAt } = project
      insert.run(id, ordinalOf(project.id), slug, name, Number(isPublic), defaultBranch, createdAt)
      touchCatalog()
      return 'created'
    },

    updateProject(id: ProjectId, change: ProjectChange): 'updated' | 'slug-taken' | 'missing' {
      const bytes = idToBytes(id)
      if (change.slug !== undefined && selectSlug.get(change.slug, bytes) !== undefined) return 'slug-taken'
      const isPublic = change.isPublic === undefined ? null : Number(change.isPublic)
      const { slug = null, name = null, defaultBranch = null } = change
      if (update.run(slug, name, isPublic, defaultBranch, bytes).changes === 0) return 'missing'
      touchCatalog()
      return 'updated'
    },

    saveSdkSettings(id: ProjectId, settings: SdkSettings): 'saved' | 'missing' {
      if (updateSdkSettings.run(JSON.stringify(settings), idToBytes(id)).changes === 0) return 'missing'
      touchCatalog()
      return 'saved'
    },

    deleteProject(id: ProjectId): { removedIssues: number; isFinished: boolean } {
      const row = selectSeq.get(idToBytes(id)) as { seq: number; indexed_number: number } | undefined
      if (row === undefined) return { removedIssues: 0, isFinished: true }
      const { seq } = row
      hide.run(seq)
      removeKeys.run(seq)
      touchCatalog()
      const { low, high } = keyRange(seq)
      removeWebhooks.run(low, high)
      const removedIssues = removeIssues.run(low, high, DELETE_STEP_ROWS).changes
      const removed =
        removedIssues +
        removeEvents.run(low, high, DELETE_STEP_ROWS).changes +
        removeReports.run(low, high, DELETE_STEP_ROWS).changes +
        removeReportDays.run(low, high, DELETE_STEP_ROWS).changes +
        // Unless the index is damaged. As integers: FTS5 ignores a bound that is a float, and would go through the index from its beginning.
        (row.indexed_number < 0 ? 0 : removeSearch(BigInt(low), BigInt(high), DELETE_STEP_ROWS)) +
        removeDeliveries.run(low, high, DELETE_STEP_ROWS).changes +
        removeAttempts.run(low, high, DELETE_STEP_ROWS).changes +
        removeSubmissions.run(seq, DELETE_STEP_ROWS).changes
      if (removed > 0) return { removedIssues, isFinished: false }
      removeCounters.run(seq)
      remove.run(seq)
      return { removedIssues, isFinished: true }
    },
  }
}

interface ProjectRow {
  readonly id: Uint8Array
  readonly slug: string
  readonly name: string
  readonly is_public: number
  readonly default_branch: string
  readonly created_at: number
}

function toProject(row: ProjectRow): ProjectRecord {
  return {
    id: encodeId('prj', row.id),
    slug: row.slug,
    name: row.name,
    isPublic: row.is_public === 1,
    defaultBranch: row.default_branch,
    createdAt: row.created_at,
  }
}
