import { openPostgresTables } from '../../../test-support/tables-stage.ts'
import { describeReportSizes } from '../suites/report-sizes.contract.ts'
import type { TablesStage } from '../suites/tables.contract.ts'

/** Without old versions of rows: when autovacuum removes them depends on how busy the machine is. */
async function measure({ query }: TablesStage): Promise<number> {
  await query('VACUUM FULL')
  const [row] = await query('SELECT pg_database_size(current_database()) AS bytes')
  return Number((row as { bytes: unknown }).bytes)
}

describeReportSizes('PostgreSQL', openPostgresTables, measure, { equal: 30_000, different: 5_000 })
