import { INSTANCE_TABLES } from './tables/instance.ts'
import { ISSUE_TABLES } from './tables/issues.ts'
import { PEOPLE_TABLES } from './tables/people.ts'
import { PROJECT_TABLES } from './tables/projects.ts'
import { REPORT_TABLES } from './tables/reports.ts'
import type { TableInfo } from './tables/table-kinds.ts'
import { WEBHOOK_TABLES } from './tables/webhooks.ts'

/**
 * EVERY TABLE. Project deletion, export, import and row mapping are derived from this list, so none of them can miss a
 * table; `tables.test.ts` compares the list with the databases.
 */
export const TABLES: readonly TableInfo[] = [
  ...PROJECT_TABLES,
  ...ISSUE_TABLES,
  ...REPORT_TABLES,
  ...WEBHOOK_TABLES,
  ...PEOPLE_TABLES,
  ...INSTANCE_TABLES,
]

/** A cluster distributes tables by this column. */
export const DISTRIBUTION_COLUMN = 'project'

/**
 * The tables that a cluster distributes, so that the rows of a project are on one of its nodes. The other tables do not grow with reports,
 * and stay on the coordinator: no statement joins them with these.
 */
export const DISTRIBUTED_TABLES: readonly TableInfo[] = TABLES.filter(
  ({ key, isOnlyIn, isOnCoordinator }) =>
    key.includes(DISTRIBUTION_COLUMN) && isOnlyIn !== 'sqlite' && !isOnCoordinator,
)
