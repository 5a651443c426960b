process.env['BUGLE_TEST_DATABASE'] = 'postgres'

const { describeSecurityLane } = await import('../../test-support/security-lane/describe-security-lane.ts')

// What a caller may see is decided before the database is asked, so the callers take turns here.
describeSecurityLane({ everyCaller: false, everyProject: true })
