import { auditedPostgres, auditedSqlite } from '../../../test-support/audited-storage.ts'
import { describePublishedIssues } from '../suites/published-issues.contract.ts'

describePublishedIssues('SQLite to PostgreSQL', auditedSqlite, auditedPostgres, { sequences: 2, steps: 60 })
