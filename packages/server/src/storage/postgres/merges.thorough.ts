import { auditedPostgres, auditedSqlite } from '../../../test-support/audited-storage.ts'
import { describeMerges } from '../suites/merges.contract.ts'

const EXTENT = { sequences: 200, steps: 30 }
describeMerges('SQLite to PostgreSQL', auditedSqlite, auditedPostgres, EXTENT)
describeMerges('PostgreSQL to SQLite', auditedPostgres, auditedSqlite, EXTENT)
