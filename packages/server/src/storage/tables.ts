import type { AttemptError, DeliveryStatus } from '@bugle/contract/vocabulary'
import type { AuditEntry } from '../model/audit-log.ts'
import type { KeyRecord } from '../model/keys.ts'
import type { LabelRecord } from '../model/labels.ts'
import type { AccessTokenRecord } from '../model/people/access-tokens.ts'
import type { LinkRecord, SignInRecord, UserRecord, ViewRecord } from '../model/people/users.ts'
import type { ProjectRecord } from '../model/projects.ts'
import type { WebhookRecord } from '../model/webhooks.ts'
import { ON_REPORTS } from './issues/issue-fields.ts'
import { ISSUE_COLUMNS } from './issues/issue-rows.ts'
import {
  asIs,
  bytes,
  details,
  fieldOf,
  flag,
  id,
  issueIdInHex,
  json,
  labelNumbers,
  lane,
  plain,
  priority,
  type TableInfo,
  table,
} from './table-kinds.ts'

export const PROJECTS = table<ProjectRecord & { readonly ordinal: number }>(
  {
    name: 'projects',
    owner: 'project',
    key: ['id'],
    lines: ['project'],
    others: {
      ...plain('seq lastIssueNumber lastEventPosition lastOpenPosition lastWebhookNumber lastLabelNumber'),
      ...plain('importSlug expiredPosition expiredOpenPosition indexedNumber fileBytes'),
      sdkConfig: json,
    },
  },
  {
    ...plain('ordinal slug name defaultBranch createdAt description websiteUrl repositoryUrl'),
    id: id('prj'),
    isPublic: flag,
  },
)

/** `project` is the project's sequence number; `null` if the key belongs to the instance. */
export const KEYS = table<Omit<KeyRecord, 'projectId'> & { readonly project: number | null }>(
  { name: 'keys', owner: 'project', key: ['id'], lines: ['key', 'instanceKey'] },
  {
    ...plain('project kind name token ending createdAt lastUsedAt revokedAt'),
    id: id('key'),
    hash: bytes,
    scopes: json,
    origins: json,
  },
)

export const ISSUES: TableInfo = {
  name: 'issues',
  owner: 'issue',
  key: ['project', 'number'],
  packed: { number: 'row' },
  lines: ['issue'],
  columns: {
    ...plain('project number createdPosition indexedWords'),
    ...Object.fromEntries(ISSUE_COLUMNS.map((column) => [fieldOf(column), asIs])),
    id: id('iss'),
    lane,
    priority,
    labels: labelNumbers,
    duplicateOf: issueIdInHex,
    metadata: json,
    context: json,
    reporter: json,
  },
}

/** The labels of a project. */
export const LABELS = table<LabelRecord & { readonly project: number }>(
  { name: 'labels', owner: 'project', key: ['project', 'number'], lines: ['label'] },
  plain('project number name colour createdAt'),
)

/** The issues that have a label: what lists find them by. */
const ISSUE_LABELS: TableInfo = {
  name: 'issue_labels',
  owner: 'issue',
  key: ['project', 'issueNumber', 'label'],
  packed: { issueNumber: 'issue_row' },
  lines: ['issueLabel'],
  columns: { ...plain('project issueNumber label'), lane },
}

/** The people who reported an issue: what lists find it by. */
const ISSUE_REPORTERS: TableInfo = {
  name: 'issue_reporters',
  owner: 'issue',
  key: ['project', 'issueNumber', 'reporter'],
  packed: { issueNumber: 'issue_row' },
  lines: ['issueReporter'],
  columns: { ...plain('project issueNumber reporter email reports'), lane },
}

/** Deleted labels that issues may still have. They are not shown, and not exported. */
const DELETED_LABELS: TableInfo = {
  name: 'deleted_labels',
  owner: 'project',
  key: ['project', 'number'],
  columns: plain('project number'),
}

/** The bulk changes that were made, so that a retry changes nothing. Not exported. */
const BULK_CHANGES: TableInfo = {
  name: 'bulk_changes',
  owner: 'project',
  key: ['project', 'id'],
  columns: plain('project id contentHash matched changed at'),
}

const REPORTS: TableInfo = {
  name: 'reports',
  owner: 'issue',
  key: ['project', 'issueNumber', 'number'],
  packed: { issueNumber: 'issue_row' },
  lines: ['report'],
  columns: {
    ...plain('project issueNumber number receivedAt textNumber'),
    ...Object.fromEntries(ON_REPORTS.columns.map((column) => [fieldOf(column), asIs])),
    id: id('rep'),
    metadata: json,
    context: json,
    reporter: json,
  },
}

/** What reporters wrote: each text once per issue. A redacted one has no title. */
const REPORT_TEXTS: TableInfo = {
  name: 'report_texts',
  owner: 'issue',
  key: ['project', 'issueNumber', 'number'],
  packed: { issueNumber: 'issue_row' },
  lines: ['reportText'],
  columns: { ...plain('project issueNumber number reportNumber words title description'), hash: bytes },
}

/** The exceptions of texts, by the number of the text. */
const REPORT_EXCEPTIONS: TableInfo = {
  name: 'report_exceptions',
  owner: 'issue',
  key: ['project', 'issueNumber', 'number'],
  packed: { issueNumber: 'issue_row' },
  lines: ['reportException'],
  columns: { ...plain('project issueNumber number'), exception: json },
}

/** The origins of an issue's reports after the first, by day. */
const REPORT_SOURCES: TableInfo = {
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

/** What the team wrote. A deleted comment has no text. */
const COMMENTS: TableInfo = {
  name: 'comments',
  owner: 'issue',
  key: ['project', 'issueNumber', 'number'],
  packed: { issueNumber: 'issue_row' },
  lines: ['comment'],
  columns: {
    ...plain('project issueNumber number id author audience text createdAt editedAt'),
    mentions: json,
    contentHash: bytes,
  },
}

/** The files that reports declare. `number` is in the order of the reports. */
const ATTACHMENTS: TableInfo = {
  name: 'attachments',
  owner: 'issue',
  key: ['project', 'issueNumber', 'number'],
  packed: { issueNumber: 'issue_row' },
  lines: ['attachment'],
  columns: {
    ...plain('project issueNumber number name declaredType size receivedAt'),
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
  columns: { ...plain('project object size contentType storedAt'), digest: bytes, isSuspect: flag },
}

/** Files that still have to be removed from the store. */
const REMOVED_FILES: TableInfo = {
  name: 'removed_files',
  owner: 'instance',
  key: ['object'],
  columns: plain('object'),
}

/** The numbers of projects that were deleted: files that the store still has of them belong to nothing. */
const DELETED_PROJECTS: TableInfo = {
  name: 'deleted_projects',
  owner: 'instance',
  key: ['ordinal'],
  columns: plain('ordinal'),
}

/** The bytes of files, if the database is their store. Removed as from any other store. */
const FILE_CHUNKS: TableInfo = {
  name: 'file_chunks',
  owner: 'instance',
  key: ['project', 'object', 'number'],
  columns: plain('project object number storedAt bytes'),
  isOnlyIn: 'postgres',
}

const SUBMISSIONS: TableInfo = {
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

const EVENTS: TableInfo = {
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
  columns: plain('project number tokens'),
}

export const USERS = table<UserRecord>(
  { name: 'users', owner: 'user', key: ['id'], lines: ['user'] },
  {
    ...plain('email name role passwordHash createdAt'),
    id: id('usr'),
    canSeeSecurity: flag,
    projectIds: json,
  },
)

export const LINKS = table<LinkRecord>(
  { name: 'links', owner: 'user', key: ['hash'] },
  { ...plain('createdAt expiresAt'), hash: bytes, userId: id('usr') },
)

export const SIGN_INS = table<SignInRecord>(
  { name: 'sign_ins', owner: 'user', key: ['id'] },
  { ...plain('userAgent createdAt lastSeenAt'), id: id('sgn'), userId: id('usr'), hash: bytes },
)

/** Not exported: they are credentials of people. */
export const ACCESS_TOKENS = table<AccessTokenRecord>(
  { name: 'access_tokens', owner: 'user', key: ['id'] },
  {
    ...plain('name ending createdAt expiresAt lastUsedAt'),
    id: id('pat'),
    userId: id('usr'),
    hash: bytes,
    scopes: json,
  },
)

export const VIEWS = table<ViewRecord>(
  { name: 'views', owner: 'user', key: ['id'], lines: ['view'] },
  { ...plain('name query createdAt'), id: id('viw'), userId: id('usr'), projectId: id('prj') },
)

/** Rows are only added. They outlive what they describe. Not exported: what was done here cannot be claimed by a file. */
export const AUDIT_LOG = table<AuditEntry>(
  { name: 'audit_log', owner: 'instance', key: ['id'] },
  {
    ...plain('at actor actorName action projectSlug subject subjectName'),
    id: id('aud'),
    projectId: id('prj'),
    changes: json,
    lane,
  },
)

/** `project` is a sequence number. Matching events up to and including `position` have become deliveries. */
export type WebhookRow = Omit<WebhookRecord, 'projectId'> & {
  readonly project: number
  readonly position: number
}

export const WEBHOOKS = table<WebhookRow>(
  { name: 'webhooks', owner: 'project', key: ['project', 'number'], lines: ['webhook'] },
  {
    ...plain('project number name url format status pausedReason position'),
    ...plain('createdAt updatedAt lastSuccessAt failingSince'),
    id: id('whk'),
    eventTypes: json,
    includeSecurity: flag,
    secrets: json,
  },
)

export interface DeliveryRow {
  readonly project: number
  /** The number of the webhook. */
  readonly webhook: number
  readonly position: number
  readonly status: DeliveryStatus
  readonly createdAt: number
  readonly nextAttemptAt: number | null
  readonly leasedUntil: number | null
  readonly finishedAt: number | null
  readonly attempts: number
  /** Attempts since the delivery last became pending. */
  readonly seriesAttempts: number
}

export const DELIVERIES = table<DeliveryRow>(
  { name: 'deliveries', owner: 'issue', key: ['project', 'webhook', 'position'], lines: ['delivery'] },
  {
    ...plain('project webhook position status attempts seriesAttempts'),
    ...plain('createdAt nextAttemptAt leasedUntil finishedAt'),
  },
)

export interface AttemptRow {
  readonly project: number
  readonly webhook: number
  readonly position: number
  readonly number: number
  readonly at: number
  readonly httpStatus: number | null
  readonly error: AttemptError | null
  readonly durationMs: number
  readonly response: string | null
}

export const ATTEMPTS = table<AttemptRow>(
  { name: 'attempts', owner: 'issue', key: ['project', 'webhook', 'position', 'number'], lines: ['attempt'] },
  plain('project webhook position number at httpStatus error durationMs response'),
)

const COUNTERS: TableInfo = {
  name: 'counters',
  owner: 'project',
  key: ['project', 'lane', 'dimension', 'value'],
  lines: ['counter'],
  columns: { ...plain('project dimension value count'), lane },
}

/** Versions, builds and branches named in reports. */
export const SEEN_VALUES: TableInfo = {
  name: 'seen_values',
  owner: 'project',
  key: ['project', 'lane', 'dimension', 'value'],
  lines: ['seenValue'],
  columns: {
    ...plain('project dimension value reports newIssues fixedIssues regressions firstAt lastAt'),
    lane,
    includesRest: flag,
  },
}

/** Deleted issues that still have rows to remove. Those rows are not exported. */
const DELETED_ISSUES: TableInfo = {
  name: 'deleted_issues',
  owner: 'project',
  key: ['project', 'number'],
  columns: plain('project number createdPosition'),
}

/** People whose assignments are to be checked: they were removed, or have lost access to something. */
const UNASSIGNMENTS: TableInfo = {
  name: 'unassignments',
  owner: 'instance',
  key: ['userId'],
  columns: plain('userId round'),
}

/** The builds of the SDK that servers on this database have served, so that pages can pin one. Not exported: each server has its own. */
const SDK_BUILDS: TableInfo = {
  name: 'sdk_builds',
  owner: 'instance',
  key: ['id'],
  columns: plain('id storedAt'),
}

const SDK_FILES: TableInfo = {
  name: 'sdk_files',
  owner: 'instance',
  key: ['build', 'name'],
  columns: { ...plain('build name'), content: bytes },
}

/** Internal tables of the database. */
const OWN: readonly TableInfo[] = [
  UNASSIGNMENTS,
  { name: 'catalog', owner: 'instance', key: [], columns: plain('version') },
  { name: 'imports', owner: 'instance', key: ['slot'], columns: plain('slot digest line') },
  {
    name: 'schema_version',
    owner: 'instance',
    key: [],
    columns: plain('version'),
    isOnlyIn: 'postgres',
  },
  { name: 'nodes', owner: 'instance', key: ['id'], columns: plain('id seenAt'), isOnlyIn: 'postgres' },
]

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
  REPORTS,
  REPORT_TEXTS,
  REPORT_EXCEPTIONS,
  REPORT_SOURCES,
  COMMENTS,
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
  COUNTERS,
  SEEN_VALUES,
  DELETED_ISSUES,
  USERS,
  LINKS,
  SIGN_INS,
  ACCESS_TOKENS,
  VIEWS,
  AUDIT_LOG,
  SDK_BUILDS,
  SDK_FILES,
  ...OWN,
]
