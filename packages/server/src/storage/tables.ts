import { INTERNAL_TABLES, SDK_BUILDS, SDK_FILES } from './tables/instance.ts'
import {
  BULK_CHANGES,
  COMMENTS,
  DELETED_ISSUES,
  EVENTS,
  ISSUE_LABELS,
  ISSUE_REPORTERS,
  ISSUES,
  READ_MARKS,
  SEARCH,
  SUBMISSIONS,
} from './tables/issues.ts'
import { ACCESS_TOKENS, AUDIT_LOG, LINKS, SIGN_INS, UNASSIGNMENTS, USERS, VIEWS } from './tables/people.ts'
import {
  ADDED_COUNTS,
  ADDED_SEEN_VALUES,
  BLOCKED_REPORTERS,
  BLOCKED_SENDERS,
  COUNTERS,
  DELETED_LABELS,
  DELETED_PROJECTS,
  KEYS,
  LABELS,
  PROJECT_HEADS,
  PROJECTS,
  SEEN_VALUES,
  SENDER_KEYS,
} from './tables/projects.ts'
import {
  ATTACHMENTS,
  FILE_CHUNKS,
  FILES,
  REMOVED_FILES,
  REPORT_EXCEPTIONS,
  REPORT_SOURCES,
  REPORT_TEXTS,
  REPORTS,
} from './tables/reports.ts'
import type { TableInfo } from './tables/table-kinds.ts'
import { ATTEMPTS, DELIVERIES, WEBHOOKS } from './tables/webhooks.ts'

/**
 * EVERY TABLE. Project deletion, export, import and row mapping are derived from this list, so none of them can miss a
 * table; `tables.test.ts` compares the list with the databases.
 */
export const TABLES: readonly TableInfo[] = [
  PROJECTS,
  KEYS,
  LABELS,
  ISSUES,
  ISSUE_LABELS,
  ISSUE_REPORTERS,
  DELETED_LABELS,
  BULK_CHANGES,
  SENDER_KEYS,
  BLOCKED_SENDERS,
  REPORTS,
  REPORT_TEXTS,
  REPORT_EXCEPTIONS,
  REPORT_SOURCES,
  COMMENTS,
  READ_MARKS,
  BLOCKED_REPORTERS,
  ATTACHMENTS,
  FILES,
  REMOVED_FILES,
  DELETED_PROJECTS,
  FILE_CHUNKS,
  SUBMISSIONS,
  EVENTS,
  SEARCH,
  WEBHOOKS,
  DELIVERIES,
  ATTEMPTS,
  PROJECT_HEADS,
  COUNTERS,
  ADDED_COUNTS,
  SEEN_VALUES,
  ADDED_SEEN_VALUES,
  DELETED_ISSUES,
  USERS,
  LINKS,
  SIGN_INS,
  ACCESS_TOKENS,
  VIEWS,
  AUDIT_LOG,
  SDK_BUILDS,
  SDK_FILES,
  UNASSIGNMENTS,
  ...INTERNAL_TABLES,
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
