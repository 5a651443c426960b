import { openInspectedPostgres } from '../../../../test-support/inspected-postgres.ts'
import { describeInspection } from '../../suites/inspection.contract.ts'

describeInspection('PostgreSQL', () => openInspectedPostgres())
