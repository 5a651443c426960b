import { temporaryPostgresStorage } from '../../../test-support/temporary-storage.ts'
import { describeUserStorage } from '../suites/users.contract.ts'

describeUserStorage('PostgreSQL', temporaryPostgresStorage)
