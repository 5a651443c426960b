import { temporaryPostgresStorage } from '../../../test-support/temporary-storage.ts'
import { describeUserStorage } from '../users.contract.ts'

describeUserStorage('PostgreSQL', temporaryPostgresStorage)
