import { temporaryPostgresStorage } from '../../../../test-support/temporary-storage.ts'
import { describeJointLists } from '../../suites/joint-lists.contract.ts'

describeJointLists('PostgreSQL', temporaryPostgresStorage)
