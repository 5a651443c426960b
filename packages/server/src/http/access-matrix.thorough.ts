import { describeAccess } from '../../test-support/access-matrix/describe-access.ts'

// The short run uses SQLite, this one PostgreSQL: access is decided before the database is queried.
describeAccess({ isThorough: true })
