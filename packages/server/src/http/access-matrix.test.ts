import { describeAccess } from '../../test-support/access-matrix/describe-access.ts'

// On SQLite; `access-matrix.thorough.ts` does the same on PostgreSQL. Rights are decided before any database is asked.
describeAccess()
