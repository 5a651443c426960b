import { temporaryPostgresStorage } from '../../../test-support/temporary-storage.ts'
import { describeStats } from '../stats.contract.ts'

describeStats('PostgreSQL', temporaryPostgresStorage)
