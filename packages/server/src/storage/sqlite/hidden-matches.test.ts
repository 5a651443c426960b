import { temporarySqliteStorage } from '../../../test-support/temporary-storage.ts'
import { describeHiddenMatches } from '../hidden-matches.contract.ts'

// Above what an estimate needs to be sure that something is too common to be counted.
describeHiddenMatches('SQLite on disk', temporarySqliteStorage, 21_000)
