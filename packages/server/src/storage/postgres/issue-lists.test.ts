import { temporaryPostgresStorage } from '../../../test-support/temporary-storage.ts'
import { describeIssueLists } from '../issue-lists.contract.ts'

/** Enough for more matches than are looked at in one go; the rest of the time is better spent elsewhere. */
const ISSUES = 55_000

describeIssueLists('PostgreSQL', temporaryPostgresStorage, ISSUES)
