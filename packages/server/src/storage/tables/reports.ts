import { ON_REPORTS } from '../issues/issue-fields.ts'
import { bytes, columnsOfFields, flag, id, json, lane, plain, type TableInfo } from './table-kinds.ts'

export const REPORTS: TableInfo = {
  name: 'reports',
  owner: 'issue',
  key: ['project', 'issueNumber', 'number'],
  packed: { issueNumber: 'issue_row' },
  lines: ['report'],
  columns: {
    ...plain('project issueNumber number receivedAt textNumber'),
    ...columnsOfFields(ON_REPORTS),
    id: id('rep'),
  },
}

/** What reporters wrote: each text once per issue. A redacted one has no title. */
export const REPORT_TEXTS: TableInfo = {
  name: 'report_texts',
  owner: 'issue',
  key: ['project', 'issueNumber', 'number'],
  packed: { issueNumber: 'issue_row' },
  lines: ['reportText'],
  columns: { ...plain('project issueNumber number reportNumber words title description'), hash: bytes },
}

/** The exceptions of texts, by the number of the text. */
export const REPORT_EXCEPTIONS: TableInfo = {
  name: 'report_exceptions',
  owner: 'issue',
  key: ['project', 'issueNumber', 'number'],
  packed: { issueNumber: 'issue_row' },
  lines: ['reportException'],
  columns: { ...plain('project issueNumber number'), exception: json },
}

/** The origins of an issue's reports after the first, by day. */
export const REPORT_SOURCES: TableInfo = {
  name: 'report_sources',
  owner: 'issue',
  key: ['project', 'issueNumber', 'day', 'appVersion', 'buildNumber', 'branch'],
  packed: { issueNumber: 'issue_row' },
  lines: ['reportSource'],
  columns: {
    ...plain('project issueNumber day appVersion buildNumber branch count regressions firstAt lastAt'),
    lane,
  },
}

/** The files that reports declare. `number` is in the order of the reports. */
export const ATTACHMENTS: TableInfo = {
  name: 'attachments',
  owner: 'issue',
  key: ['project', 'issueNumber', 'number'],
  packed: { issueNumber: 'issue_row' },
  lines: ['attachment'],
  columns: {
    ...plain('project issueNumber number name declaredType size receivedAt omitted'),
    id: id('att'),
    digest: bytes,
  },
}

/** The files that a project has received, once each. `object` names the file in the store. */
export const FILES: TableInfo = {
  name: 'files',
  owner: 'project',
  key: ['project', 'digest'],
  lines: ['file'],
  columns: {
    ...plain('project object size contentType storedAt'),
    digest: bytes,
    isSuspect: flag,
    isDamaged: flag,
  },
}

/** Files that still have to be removed from the store. */
export const REMOVED_FILES: TableInfo = {
  name: 'removed_files',
  owner: 'instance',
  key: ['object'],
  columns: plain('object'),
}

/** The bytes of files, if the database is their store. Removed as from any other store. */
export const FILE_CHUNKS: TableInfo = {
  name: 'file_chunks',
  owner: 'instance',
  key: ['project', 'object', 'number'],
  columns: plain('project object number storedAt bytes'),
  isOnlyIn: 'postgres',
}

export const REPORT_TABLES: readonly TableInfo[] = [
  REPORTS,
  REPORT_TEXTS,
  REPORT_EXCEPTIONS,
  REPORT_SOURCES,
  ATTACHMENTS,
  FILES,
  REMOVED_FILES,
  FILE_CHUNKS,
]
