import { temporaryPostgresStorage } from '../../../test-support/temporary-storage.ts'
import { describeHiddenMatches } from '../suites/hidden-matches.contract.ts'

describeHiddenMatches('PostgreSQL', temporaryPostgresStorage, 4_000)
