import { temporarySqliteStorage } from '../../../test-support/temporary-storage.ts'
import { describeStatistics } from '../statistics.contract.ts'

describeStatistics('SQLite on disk', temporarySqliteStorage)
