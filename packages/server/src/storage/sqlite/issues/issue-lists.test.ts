import { temporarySqliteStorage } from '../../../../test-support/temporary-storage.ts'
import { describeIssueLists, SMALL_LISTS } from '../../suites/issue-lists.contract.ts'

describeIssueLists('SQLite on disk', temporarySqliteStorage, SMALL_LISTS)
