import { describeAccess } from '../../test-support/access-matrix/describe-access.ts'

// The short run uses SQLite, this one PostgreSQL: access is decided before the database is queried.
process.env['BUGLE_TEST_DATABASE'] = 'postgres'

describeAccess({ isThorough: true })
