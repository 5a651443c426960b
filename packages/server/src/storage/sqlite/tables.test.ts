import { openSqliteTables } from '../../../test-support/tables-stage.ts'
import { describeTables } from '../suites/tables.contract.ts'

describeTables('sqlite', openSqliteTables)
