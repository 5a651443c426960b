import { describeSecurityLane } from '../../test-support/describe-security-lane.ts'

describeSecurityLane({ isThorough: false })
