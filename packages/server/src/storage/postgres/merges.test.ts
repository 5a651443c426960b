import { auditedPostgres, auditedSqlite } from '../../../test-support/audited-storage.ts'
import { describeMerges } from '../suites/merges.contract.ts'

describeMerges('SQLite to PostgreSQL', auditedSqlite, auditedPostgres, { sequences: 5, steps: 30 })
