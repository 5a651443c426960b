import { describeAccess } from '../../test-support/access-matrix/describe-access.ts'

// On PostgreSQL, and in the short run on SQLite: access is decided before the database is queried.
process.env['BUGLE_TEST_DATABASE'] = 'postgres'

describeAccess({ isThorough: true })
