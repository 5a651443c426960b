import { temporaryPostgresStorage } from '../../../test-support/temporary-storage.ts'
import { describeSeenValues } from '../suites/seen-values.contract.ts'

describeSeenValues('PostgreSQL', temporaryPostgresStorage, { rounds: 100, strangers: 20_000 })
