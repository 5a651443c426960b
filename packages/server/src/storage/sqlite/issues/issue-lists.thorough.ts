import { temporarySqliteStorage } from '../../../../test-support/temporary-storage.ts'
import { describeIssueLists, LARGE_LISTS } from '../../suites/issue-lists.contract.ts'

describeIssueLists('SQLite on disk', temporarySqliteStorage, LARGE_LISTS)
