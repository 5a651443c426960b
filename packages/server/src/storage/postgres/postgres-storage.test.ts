import { temporaryPostgresStorage } from '../../../test-support/temporary-storage.ts'
import { describeStorage } from '../storage.contract.ts'

describeStorage('PostgreSQL', temporaryPostgresStorage)
