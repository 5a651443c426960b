import { CHANGEABLE, FIXED } from '../issues/issue-fields.ts'
import {
  bytes,
  columnsOfFields,
  details,
  id,
  issueIdInHex,
  json,
  labelNumbers,
  lane,
  plain,
  priority,
  type TableInfo,
} from './table-kinds.ts'

export const ISSUES: TableInfo = {
  name: 'issues',
  owner: 'issue',
  key: ['project', 'number'],
  packed: { number: 'row' },
  lines: ['issue'],
  columns: {
    ...plain('project number createdPosition indexedWords'),
    ...columnsOfFields(CHANGEABLE),
    ...columnsOfFields(FIXED),
    id: id('iss'),
    lane,
    priority,
    labels: labelNumbers,
    duplicateOf: issueIdInHex,
  },
}

/** The issues that have a label: what lists find them by. */
export const ISSUE_LABELS: TableInfo = {
  name: 'issue_labels',
  owner: 'issue',
  key: ['project', 'issueNumber', 'label'],
  packed: { issueNumber: 'issue_row' },
  lines: ['issueLabel'],
  columns: { ...plain('project issueNumber label'), lane },
}

/** The people who reported an issue: what lists find it by. */
export const ISSUE_REPORTERS: TableInfo = {
  name: 'issue_reporters',
  owner: 'issue',
  key: ['project', 'issueNumber', 'reporter'],
  packed: { issueNumber: 'issue_row' },
  lines: ['issueReporter'],
  columns: { ...plain('project issueNumber reporter email reports'), lane },
}

/** The bulk changes that were made, so that a retry changes nothing. Not exported. */
export const BULK_CHANGES: TableInfo = {
  name: 'bulk_changes',
  owner: 'project',
  key: ['project', 'id'],
  columns: plain('project id contentHash matched changed at'),
}

/** What the team and reporters wrote. A deleted comment has no text. */
export const COMMENTS: TableInfo = {
  name: 'comments',
  owner: 'issue',
  key: ['project', 'issueNumber', 'number'],
  packed: { issueNumber: 'issue_row' },
  lines: ['comment'],
  columns: {
    ...plain('project issueNumber number id author audience text createdAt editedAt reportNumber lastReport'),
    mentions: json,
    contentHash: bytes,
  },
}

/** How far reporters have read the replies to their reports. */
export const READ_MARKS: TableInfo = {
  name: 'read_marks',
  owner: 'issue',
  key: ['project', 'issueNumber', 'reportNumber'],
  packed: { issueNumber: 'issue_row' },
  lines: ['readMark'],
  columns: plain('project issueNumber reportNumber commentNumber'),
}

export const SUBMISSIONS: TableInfo = {
  name: 'submissions',
  owner: 'issue',
  key: ['project', 'id'],
  packed: { issueNumber: 'issue_row' },
  lines: ['submission'],
  columns: {
    ...plain('project id issueNumber status reportCount reportNumber receivedAt'),
    contentHash: bytes,
  },
}

export const EVENTS: TableInfo = {
  name: 'events',
  owner: 'issue',
  key: ['project', 'position'],
  packed: { position: 'row', openPosition: 'open_row', issueNumber: 'issue_row' },
  lines: ['event'],
  columns: { ...plain('project position openPosition type at actor issueNumber'), lane, details },
}

/** The full-text index. In SQLite, it is a virtual table with its own shadow tables. */
export const SEARCH: TableInfo = {
  name: 'search',
  owner: 'issue',
  key: ['project', 'number'],
  packed: { number: 'rowid' },
  columns: plain('project number tokens isSpam'),
}

/** Deleted issues that still have rows to remove. Those rows are not exported. */
export const DELETED_ISSUES: TableInfo = {
  name: 'deleted_issues',
  owner: 'project',
  key: ['project', 'number'],
  columns: plain('project number createdPosition'),
}

export const ISSUE_TABLES: readonly TableInfo[] = [
  ISSUES,
  ISSUE_LABELS,
  ISSUE_REPORTERS,
  BULK_CHANGES,
  COMMENTS,
  READ_MARKS,
  SUBMISSIONS,
  EVENTS,
  SEARCH,
  DELETED_ISSUES,
]
