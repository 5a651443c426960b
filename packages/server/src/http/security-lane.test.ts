import { describeSecurityLane } from '../../test-support/security-lane/describe-security-lane.ts'

describeSecurityLane({ everyCaller: false, everyProject: false })
