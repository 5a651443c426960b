import { describeSecurityLane } from '../../test-support/security-lane/describe-security-lane.ts'

// What callers may see is decided before the database is queried, so they take turns here.
describeSecurityLane({ everyCaller: false, everyProject: true })
