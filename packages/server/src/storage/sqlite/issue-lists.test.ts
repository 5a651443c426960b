import { temporarySqliteStorage } from '../../../test-support/temporary-storage.ts'
import { describeIssueLists } from '../issue-lists.contract.ts'

describeIssueLists('SQLite on disk', temporarySqliteStorage)
