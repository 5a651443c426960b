import { describeAccess } from '../../test-support/access-matrix/describe-access.ts'

// On SQLite; `access-matrix.thorough.ts` does the same on PostgreSQL. Access is decided before the database is queried.
describeAccess()
