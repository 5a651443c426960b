import { temporarySqliteStorage } from '../../../test-support/temporary-storage.ts'
import { describeStats } from '../suites/stats.contract.ts'

describeStats('SQLite on disk', temporarySqliteStorage, [1])
