import { auditedPostgres, auditedSqlite } from '../../../test-support/audited-storage.ts'
import { describeKnownLimit, describePublishedIssues } from '../suites/published-issues.contract.ts'

describePublishedIssues('SQLite to PostgreSQL', auditedSqlite, auditedPostgres, { sequences: 5, steps: 200 })
describePublishedIssues('PostgreSQL to SQLite', auditedPostgres, auditedSqlite, { sequences: 5, steps: 80 })
describeKnownLimit('SQLite', auditedSqlite)
describeKnownLimit('PostgreSQL', auditedPostgres)
