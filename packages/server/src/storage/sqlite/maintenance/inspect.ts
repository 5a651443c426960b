import { existsSync, statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { SQLITE } from '../../dialects.ts'
import type { DatabaseSize, Inspection } from '../../inspection.ts'
import { type AuditDialect, auditDatabase, PROJECTS_IN_SERVICE } from '../../maintenance/audit.ts'
import { IN_MEMORY, openFrozen, openReader, openWriter } from '../driver/connection.ts'
import { isIndexFault } from '../driver/faults.ts'
import { findSchemaFault, migrate, SCHEMA_VERSION, schemaVersion } from '../migrations/migrate.ts'
import { measureSqliteWrites } from './measure-writes.ts'

const MAX_COMPLAINTS = 10

/** Inspects a database that others may be using. */
export function inspectSqlite(path: string): Inspection {
  return inspect(openReader(path), path)
}

/** Inspects a file that is not in use, such as a backup. */
export function inspectSqliteFile(path: string): Inspection {
  return inspect(openFrozen(path), path)
}

function inspect(db: DatabaseSync, path: string): Inspection {
  let complaints: readonly string[] | undefined
  const complain = () => {
    complaints ??= complaintsOf(db)
    return complaints
  }
  const count = (text: string) => (db.prepare(text).get() as { count: number }).count
  return {
    schema: { found: schemaVersion(db), known: SCHEMA_VERSION, fault: findSchemaFault(db) ?? null },
    listDamage: async () => complain().filter((complaint) => !isAboutSearch(complaint)),
    listSearchDamage: async () => complain().filter(isAboutSearch),
    async findSearchFault() {
      const marked = count('SELECT count(*) AS count FROM projects WHERE indexed_number < 0')
      return marked > 0 ? 'it has failed before' : probeSearch(db)
    },
    async audit(onProgress) {
      // One snapshot, so that the counts are consistent.
      db.exec('BEGIN')
      try {
        return await auditDatabase([DIALECT], async (text) => count(text), onProgress)
      } finally {
        db.exec('ROLLBACK')
      }
    },
    async listMissing() {
      using whole = openWriter(IN_MEMORY)
      migrate(whole)
      const present = new Set(namesIn(db))
      return namesIn(whole).filter((name) => !present.has(name))
    },
    countUnindexed: async () =>
      count(
        'SELECT coalesce(sum(last_issue_number - max(0, indexed_number)), 0) AS count FROM projects WHERE slug IS NOT NULL',
      ),
    async findNewestEventTime() {
      const { at } = db.prepare('SELECT max(at) AS at FROM events').get() as { at: number | null }
      return at
    },
    measureSize: async () => sizeOf(path),
    measureClockLead: async () => 0,
    measureWrites: async () => measureSqliteWrites(dirname(path)),
    async [Symbol.asyncDispose]() {
      db.close()
    },
  }
}

function complaintsOf(db: DatabaseSync): readonly string[] {
  try {
    const rows = db.prepare(`PRAGMA integrity_check(${MAX_COMPLAINTS})`).all()
    const complaints = rows.map(({ integrity_check }) => String(integrity_check))
    return complaints.filter((complaint) => complaint !== 'ok')
  } catch (error) {
    // FTS5 fails to run a check if it cannot read its own settings.
    if (!(error instanceof Error) || !isIndexFault(error)) throw error
    return [error.message]
  }
}

function probeSearch(db: DatabaseSync): string | null {
  try {
    db.prepare("SELECT rowid FROM search WHERE search MATCH 'a' LIMIT 1").get()
    return null
  } catch (error) {
    if (!(error instanceof Error) || !isIndexFault(error)) throw error
    return error.message
  }
}

/** The message names FTS5, or one of its tables. */
function isAboutSearch(complaint: string): boolean {
  return /\bfts5\b|\bsearch_(data|idx|docsize|config)\b/i.test(complaint)
}

function namesIn(db: DatabaseSync): readonly string[] {
  const rows = db.prepare("SELECT name FROM sqlite_schema WHERE name NOT LIKE 'sqlite%'").all()
  return rows.map(({ name }) => String(name))
}

function sizeOf(path: string): DatabaseSize {
  const { bavail, bsize } = statfsSync(dirname(path))
  const log = `${path}-wal`
  return {
    bytes: statSync(path).size,
    logBytes: existsSync(log) ? statSync(log).size : 0,
    freeBytes: bavail * bsize,
  }
}

const DIALECT: AuditDialect = {
  ...PROJECTS_IN_SERVICE,
  projectOfIssue: 'i.row >> 32',
  issueKey: 'issue_row',
  isIssueOfX: 'i.row = x.issue_row',
  projectOfX: 'x.issue_row >> 32',
  isDeletedIssueOfX: 'g.project = x.issue_row >> 32 AND g.number = (x.issue_row & 4294967295)',
  hexId: 'lower(hex(i.id))',
  isFirstEvent: 'e.row = ((i.row >> 32) << 32) + i.created_position',
  current: SQLITE.current,
  hasIssuesBeyond: beyond('issues', 'last_issue_number'),
  hasEventsBeyond: beyond('events', 'last_event_position'),
  hasOpenEventsBeyond: `EXISTS (SELECT 1 FROM events e WHERE e.lane = 0
    AND coalesce(e.open_row, e.row) > (p.seq << 32) + p.last_open_position AND coalesce(e.open_row, e.row) < (p.seq + 1) << 32)`,
  countUnsearchable: () => `SELECT count(*) AS count FROM issues i JOIN projects p ON p.seq = i.row >> 32
    LEFT JOIN search_docsize d ON d.id = i.row
    WHERE d.id IS NULL AND (i.row & 4294967295) <= p.indexed_number AND p.slug IS NOT NULL`,
  day: (column) => `date(${column} / 1000, 'unixepoch')`,
}

function beyond(table: string, last: string): string {
  return `EXISTS (SELECT 1 FROM ${table} WHERE row > (p.seq << 32) + p.${last} AND row < (p.seq + 1) << 32)`
}
