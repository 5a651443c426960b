import { temporaryPostgresStorage } from '../../../test-support/temporary-storage.ts'
import { describeStatistics } from '../statistics.contract.ts'

describeStatistics('PostgreSQL', temporaryPostgresStorage)
