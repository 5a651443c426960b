import { temporarySqliteStorage } from '../../../../test-support/temporary-storage.ts'
import { describeJointLists } from '../../suites/joint-lists.contract.ts'

describeJointLists('SQLite on disk', temporarySqliteStorage)
