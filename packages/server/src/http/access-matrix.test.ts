import { describeAccess } from '../../test-support/access-matrix/describe-access.ts'

describeAccess({ isThorough: false })
