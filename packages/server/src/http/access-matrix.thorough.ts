import { describeAccess } from '../../test-support/access-matrix/describe-access.ts'

process.env['BUGLE_TEST_DATABASE'] = 'postgres'

describeAccess()
