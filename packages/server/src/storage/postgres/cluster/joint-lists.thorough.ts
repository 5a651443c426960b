import { temporaryClusterStorage } from '../../../../test-support/temporary-storage.ts'
import { describeJointLists } from '../../suites/joint-lists.contract.ts'

describeJointLists('PostgreSQL, with the statements for a cluster', temporaryClusterStorage)
