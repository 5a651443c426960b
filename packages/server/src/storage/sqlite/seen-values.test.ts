import { temporarySqliteStorage } from '../../../test-support/temporary-storage.ts'
import { describeSeenValues } from '../suites/seen-values.contract.ts'

describeSeenValues('SQLite on disk', temporarySqliteStorage)
