import { POSTGRES } from '../../dialects.ts'
import type { DatabaseSize, Inspection } from '../../inspection.ts'
import { type AuditDialect, auditDatabase, PROJECTS_IN_SERVICE } from '../../maintenance/audit.ts'
import { isDistributed } from '../cluster/distribution.ts'
import { connect, type Session } from '../driver/connection.ts'
import { createConnector } from '../driver/connector.ts'
import { findSchemaFault, partsOf, SCHEMA_VERSION, schemaVersion } from '../migrations/migrate.ts'
import { measurePostgresWrites } from './measure-writes.ts'

/** A recount reads everything. */
const AUDIT_TIMEOUT_MS = 24 * 3_600_000

const SEARCH_INDEX = 'search_by_token'

/** Inspects a database that others may be using. */
export async function inspectPostgres(url: string): Promise<Inspection> {
  const database = connect(createConnector(url))
  try {
    const found = await schemaVersion(database)
    return {
      schema: {
        ...{ found, known: SCHEMA_VERSION },
        fault: found === 0 ? null : ((await findSchemaFault(database)) ?? null),
      },
      listDamage: async () =>
        (await listInvalidIndexes(database)).filter((name) => name !== SEARCH_INDEX).map(adviseReindex),
      listSearchDamage: async () => [],
      findSearchFault: async () =>
        (await listInvalidIndexes(database)).includes(SEARCH_INDEX)
          ? 'PostgreSQL reports that it is not valid'
          : null,
      audit: (onProgress) =>
        // One snapshot, so that the counts are consistent.
        database.snapshot(async (session) => {
          await session.run({
            text: 'SET LOCAL statement_timeout = 0',
            values: [],
          })
          const count = async (text: string) => (await first<{ count: number }>(session, text)).count
          return auditDatabase(await dialectsFor(session), count, onProgress)
        }),
      listMissing: () => listMissing(database, found),
      // Issues are indexed in the transaction that stores them.
      countUnindexed: async () => 0,
      findNewestEventTime: async () =>
        (await first<{ at: number | null }>(database, 'SELECT max(at) AS at FROM events')).at,
      measureSize: () => measureSize(database),
      measureClockLead: () => measureClockLead(database),
      measureWrites: () => measurePostgresWrites(database),
      [Symbol.asyncDispose]: () => database.close(),
    }
  } catch (error) {
    await database.close()
    throw error
  }
}

async function first<R extends object>(session: Session, text: string): Promise<R> {
  const [row] = await session.run<R>({ text, values: [], timeoutMs: AUDIT_TIMEOUT_MS })
  if (row === undefined) throw new Error('a query without a row')
  return row
}

async function listInvalidIndexes(session: Session): Promise<readonly string[]> {
  const rows = await session.run<{ name: string }>({
    text: 'SELECT indexrelid::regclass::text AS name FROM pg_index WHERE NOT indisvalid',
    values: [],
  })
  return rows.map(({ name }) => name)
}

function adviseReindex(name: string): string {
  return `the index ${name} is not valid: REINDEX INDEX ${name}`
}

async function listMissing(session: Session, version: number): Promise<readonly string[]> {
  const { tables, indexes } = partsOf(version)
  const rows = await session.run<{ name: string }>({
    text: 'SELECT name FROM unnest($1::text[]) name WHERE to_regclass(name) IS NULL',
    values: [[...tables, ...indexes]],
  })
  return rows.map(({ name }) => name)
}

async function measureSize(session: Session): Promise<DatabaseSize> {
  const { bytes } = await first<{ bytes: number }>(
    session,
    'SELECT pg_database_size(current_database()) AS bytes',
  )
  return { bytes, logBytes: null, freeBytes: null }
}

async function measureClockLead(session: Session): Promise<number> {
  const sentAt = Date.now()
  const text = 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now'
  const { now } = await first<{ now: number }>(session, text)
  return now - (sentAt + Date.now()) / 2
}

/** On a cluster each project by itself, with its values: the projects are on the coordinator, and everything that is counted is not. */
async function dialectsFor(session: Session): Promise<readonly AuditDialect[]> {
  if (!(await isDistributed(session))) return [DIALECT]
  const rows = await session.run<Readonly<Record<string, number>>>({
    text: `SELECT ${AUDITED_COLUMNS.join(', ')} FROM ${DIALECT.projects} WHERE slug IS NOT NULL ORDER BY seq`,
    values: [],
  })
  return rows.map((row) => {
    const values = AUDITED_COLUMNS.map((column) => `${row[column]} AS ${column}`)
    return {
      ...DIALECT,
      projects: `(SELECT 'in service' AS slug, ${values.join(', ')})`,
      isLive: (project) => `${project} = ${row['seq']}`,
    }
  })
}

const AUDITED_COLUMNS = [
  'seq',
  'last_issue_number',
  'last_event_position',
  'last_open_position',
  'file_bytes',
] as const

const DIALECT: AuditDialect = {
  ...PROJECTS_IN_SERVICE,
  projects: POSTGRES.current('projects'),
  current: POSTGRES.current,
  projectOfIssue: 'i.project',
  issueKey: 'project, issue_number',
  isIssueOfX: 'i.project = x.project AND i.number = x.issue_number',
  projectOfX: 'x.project',
  isDeletedIssueOfX: 'g.project = x.project AND g.number = x.issue_number',
  hexId: `replace(i.id::text, '-', '')`,
  isFirstEvent: 'e.project = i.project AND e.position = i.created_position',
  hasIssuesBeyond: 'EXISTS (SELECT 1 FROM issues WHERE project = p.seq AND number > p.last_issue_number)',
  hasEventsBeyond: 'EXISTS (SELECT 1 FROM events WHERE project = p.seq AND position > p.last_event_position)',
  hasOpenEventsBeyond: `EXISTS (SELECT 1 FROM events WHERE project = p.seq AND lane = 0
    AND coalesce(open_position, position) > p.last_open_position)`,
  countUnsearchable: ({ isLive }) => `SELECT count(*) AS count FROM issues i
    LEFT JOIN search s ON s.project = i.project AND s.number = i.number
    WHERE s.number IS NULL AND ${isLive('i.project')}`,
  day: (column) => `to_char(to_timestamp(${column} / 1000) AT TIME ZONE 'UTC', 'YYYY-MM-DD')`,
}
