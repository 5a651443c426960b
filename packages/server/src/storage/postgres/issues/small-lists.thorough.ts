import { temporaryPostgresStorage } from '../../../../test-support/temporary-storage.ts'
import { describeIssueLists, SMALL_LISTS } from '../../suites/issue-lists.contract.ts'

describeIssueLists('PostgreSQL', temporaryPostgresStorage, SMALL_LISTS)
