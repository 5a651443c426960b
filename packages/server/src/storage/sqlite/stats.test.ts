import { temporarySqliteStorage } from '../../../test-support/temporary-storage.ts'
import { describeStats } from '../stats.contract.ts'

describeStats('SQLite on disk', temporarySqliteStorage)
