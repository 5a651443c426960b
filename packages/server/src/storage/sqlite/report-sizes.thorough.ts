import { openSqliteTables } from '../../../test-support/tables-stage.ts'
import { describeReportSizes } from '../suites/report-sizes.contract.ts'
import type { TablesStage } from '../suites/tables.contract.ts'

/** The pages in use, in bytes. */
async function measure({ query }: TablesStage): Promise<number> {
  const [row] = await query(
    `SELECT (pages.page_count - free.freelist_count) * size.page_size AS bytes
     FROM pragma_page_count pages, pragma_freelist_count free, pragma_page_size size`,
  )
  return Number((row as { bytes: unknown }).bytes)
}

describeReportSizes('SQLite', openSqliteTables, measure, { equal: 30_000, different: 5_000 })
