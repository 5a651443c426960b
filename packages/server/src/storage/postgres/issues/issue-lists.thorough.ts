import { temporaryPostgresStorage } from '../../../../test-support/temporary-storage.ts'
import { describeIssueLists, LARGE_LISTS } from '../../suites/issue-lists.contract.ts'

describeIssueLists('PostgreSQL', temporaryPostgresStorage, LARGE_LISTS)
