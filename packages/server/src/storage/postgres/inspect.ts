import type { Inspection } from '../inspection.ts'
import { type AuditDialect, auditDatabase } from '../sql/audit.ts'
import { connect, type Session } from './connection.ts'
import { SCHEMA_VERSION, schemaVersion } from './migrate.ts'

/** A recount goes through everything. */
const AUDIT_TIMEOUT_MS = 24 * 3_600_000

/** Looks at a database that others may be using. */
export async function inspectPostgres(url: string): Promise<Inspection> {
  const database = connect(url)
  try {
    return {
      schema: { found: await schemaVersion(database), known: SCHEMA_VERSION },
      async listDamage() {
        const rows = await database.run<{ name: string }>({
          text: 'SELECT indexrelid::regclass::text AS name FROM pg_index WHERE NOT indisvalid',
          values: [],
        })
        return rows.map(({ name }) => `the index ${name} is not valid: REINDEX INDEX ${name}`)
      },
      audit: () =>
        // One snapshot: what is counted must not move meanwhile.
        database.snapshot(async (session) => {
          await session.run({ text: 'SET LOCAL statement_timeout = 0', values: [] })
          return auditDatabase(DIALECT, (text) => count(session, text))
        }),
      [Symbol.asyncDispose]: () => database.close(),
    }
  } catch (error) {
    await database.close()
    throw error
  }
}

async function count(session: Session, text: string): Promise<number> {
  const [row] = await session.run<{ count: number }>({ text, values: [], timeoutMs: AUDIT_TIMEOUT_MS })
  return row?.count ?? 0
}

const DIALECT: AuditDialect = {
  projectOfIssue: 'i.project',
  projectColumn: 'project',
  issueKey: 'project, issue_number',
  isIssueOfX: 'i.project = x.project AND i.number = x.issue_number',
  isFirstEvent: 'e.project = i.project AND e.position = i.created_position',
  hasIssuesBeyond: 'EXISTS (SELECT 1 FROM issues WHERE project = p.seq AND number > p.last_issue_number)',
  hasEventsBeyond: 'EXISTS (SELECT 1 FROM events WHERE project = p.seq AND position > p.last_event_position)',
  countUnsearchable: `SELECT count(*) AS count FROM issues i JOIN projects p ON p.seq = i.project
    LEFT JOIN search s ON s.project = i.project AND s.number = i.number
    WHERE s.number IS NULL AND p.slug IS NOT NULL`,
  day: (column) => `to_char(to_timestamp(${column} / 1000) AT TIME ZONE 'UTC', 'YYYY-MM-DD')`,
}
