import { temporarySqliteStorage } from '../../../test-support/temporary-storage.ts'
import { describeHiddenMatches } from '../suites/hidden-matches.contract.ts'

// More than the limit for counting.
describeHiddenMatches('SQLite on disk', temporarySqliteStorage, 11_000)
