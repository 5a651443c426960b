import { temporaryPostgresStorage } from '../../../test-support/temporary-storage.ts'
import { describeStats } from '../suites/stats.contract.ts'

describeStats('PostgreSQL', temporaryPostgresStorage)
