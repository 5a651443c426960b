import type { AttemptError, DeliveryStatus } from '@bugle/contract/vocabulary'
import type { KeyRecord } from '../model/keys.ts'
import type { ProjectRecord } from '../model/projects.ts'
import type { LinkRecord, SignInRecord, UserRecord, ViewRecord } from '../model/users.ts'
import type { WebhookRecord } from '../model/webhooks.ts'
import { ON_REPORTS } from './issues/issue-fields.ts'
import { ISSUE_COLUMNS } from './issues/issue-rows.ts'
import {
  bytes,
  details,
  fieldOf,
  flag,
  id,
  json,
  lane,
  plain,
  plainColumns,
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
      ...plainColumns('seq lastIssueNumber lastEventPosition lastOpenPosition lastWebhookNumber importSlug'),
      ...plainColumns('expiredPosition expiredOpenPosition indexedNumber'),
      sdkConfig: json,
    },
  },
  {
    id: id('prj'),
    ordinal: plain,
    slug: plain,
    name: plain,
    isPublic: flag,
    defaultBranch: plain,
    createdAt: plain,
  },
)

/** The project is its sequence number here; `null`: the key belongs to the instance. */
export const KEYS = table<Omit<KeyRecord, 'projectId'> & { readonly project: number | null }>(
  { name: 'keys', owner: 'project', key: ['id'], lines: ['key', 'instanceKey'] },
  {
    id: id('key'),
    project: plain,
    kind: plain,
    name: plain,
    hash: bytes,
    token: plain,
    ending: plain,
    scopes: json,
    origins: json,
    createdAt: plain,
    lastUsedAt: plain,
    revokedAt: plain,
  },
)

export const ISSUES: TableInfo = {
  name: 'issues',
  owner: 'issue',
  key: ['project', 'number'],
  packed: { number: 'row' },
  lines: ['issue'],
  columns: {
    ...plainColumns('project number createdPosition'),
    ...Object.fromEntries(ISSUE_COLUMNS.map((column) => [fieldOf(column), plain])),
    id: id('iss'),
    lane,
    priority,
    metadata: json,
  },
}

const REPORTS: TableInfo = {
  name: 'reports',
  owner: 'issue',
  key: ['project', 'issueNumber', 'number'],
  packed: { issueNumber: 'issue_row' },
  lines: ['report'],
  columns: plainColumns(
    ['project issueNumber number receivedAt', ...ON_REPORTS.columns.map(fieldOf)].join(' '),
  ),
}

const REPORT_DAYS: TableInfo = {
  name: 'report_days',
  owner: 'issue',
  key: ['project', 'issueNumber', 'day'],
  packed: { issueNumber: 'issue_row' },
  lines: ['reportDay'],
  columns: plainColumns('project issueNumber day count'),
}

const SUBMISSIONS: TableInfo = {
  name: 'submissions',
  owner: 'issue',
  key: ['project', 'id'],
  packed: { issueNumber: 'issue_row' },
  lines: ['submission'],
  columns: { ...plainColumns('project id issueNumber status reportCount'), contentHash: bytes },
}

const EVENTS: TableInfo = {
  name: 'events',
  owner: 'issue',
  key: ['project', 'position'],
  packed: { position: 'row', openPosition: 'open_row', issueNumber: 'issue_row' },
  lines: ['event'],
  columns: { ...plainColumns('project position openPosition type at actor issueNumber'), lane, details },
}

/** The full-text index. In SQLite it is a virtual table, with tables of its own. */
export const SEARCH: TableInfo = {
  name: 'search',
  owner: 'issue',
  key: ['project', 'number'],
  packed: { number: 'rowid' },
  columns: plainColumns('project number tokens'),
}

export const USERS = table<UserRecord>(
  { name: 'users', owner: 'user', key: ['id'], lines: ['user'] },
  {
    id: id('usr'),
    email: plain,
    name: plain,
    role: plain,
    canSeeSecurity: flag,
    projectIds: json,
    passwordHash: plain,
    createdAt: plain,
  },
)

export const LINKS = table<LinkRecord>(
  { name: 'links', owner: 'user', key: ['hash'] },
  {
    hash: bytes,
    userId: id('usr'),
    createdAt: plain,
    expiresAt: plain,
  },
)

export const SIGN_INS = table<SignInRecord>(
  { name: 'sign_ins', owner: 'user', key: ['id'] },
  {
    id: id('sgn'),
    userId: id('usr'),
    hash: bytes,
    userAgent: plain,
    createdAt: plain,
    lastSeenAt: plain,
  },
)

export const VIEWS = table<ViewRecord>(
  { name: 'views', owner: 'user', key: ['id'], lines: ['view'] },
  {
    id: id('viw'),
    userId: id('usr'),
    name: plain,
    projectId: id('prj'),
    query: plain,
    createdAt: plain,
  },
)

/** The project is its sequence number here. `position`: of the events up to this one, those it wants have become deliveries. */
export type WebhookRow = Omit<WebhookRecord, 'projectId'> & {
  readonly project: number
  readonly position: number
}

export const WEBHOOKS = table<WebhookRow>(
  { name: 'webhooks', owner: 'project', key: ['project', 'number'], lines: ['webhook'] },
  {
    project: plain,
    number: plain,
    id: id('whk'),
    name: plain,
    url: plain,
    eventTypes: json,
    includeSecurity: flag,
    format: plain,
    status: plain,
    pausedReason: plain,
    secrets: json,
    position: plain,
    createdAt: plain,
    updatedAt: plain,
    lastSuccessAt: plain,
    failingSince: plain,
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
  /** Those since it was last made pending. */
  readonly seriesAttempts: number
}

export const DELIVERIES = table<DeliveryRow>(
  { name: 'deliveries', owner: 'issue', key: ['project', 'webhook', 'position'], lines: ['delivery'] },
  {
    project: plain,
    webhook: plain,
    position: plain,
    status: plain,
    createdAt: plain,
    nextAttemptAt: plain,
    leasedUntil: plain,
    finishedAt: plain,
    attempts: plain,
    seriesAttempts: plain,
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
  {
    project: plain,
    webhook: plain,
    position: plain,
    number: plain,
    at: plain,
    httpStatus: plain,
    error: plain,
    durationMs: plain,
    response: plain,
  },
)

const COUNTERS: TableInfo = {
  name: 'counters',
  owner: 'project',
  key: ['project', 'lane', 'dimension', 'value'],
  lines: ['counter'],
  columns: { ...plainColumns('project dimension value count'), lane },
}

/** Issues that have left rows to be removed. Those are not exported. */
const DELETED_ISSUES: TableInfo = {
  name: 'deleted_issues',
  owner: 'project',
  key: ['project', 'number'],
  columns: plainColumns('project number createdPosition'),
}

/** Rows of the database itself. */
const OWN: readonly TableInfo[] = [
  { name: 'catalog', owner: 'instance', key: [], columns: plainColumns('version') },
  { name: 'imports', owner: 'instance', key: ['slot'], columns: plainColumns('slot digest line') },
  {
    name: 'schema_version',
    owner: 'instance',
    key: [],
    columns: plainColumns('version'),
    isOnlyIn: 'postgres',
  },
  { name: 'nodes', owner: 'instance', key: ['id'], columns: plainColumns('id seenAt'), isOnlyIn: 'postgres' },
]

/**
 * EVERY TABLE. Deletion of a project, export, import and row mapping are derived from it, so that none of them forgets one;
 * `tables.test.ts` compares it with the databases.
 */
export const TABLES: readonly TableInfo[] = [
  PROJECTS,
  KEYS,
  ISSUES,
  REPORTS,
  REPORT_DAYS,
  SUBMISSIONS,
  EVENTS,
  SEARCH,
  WEBHOOKS,
  DELIVERIES,
  ATTEMPTS,
  COUNTERS,
  DELETED_ISSUES,
  USERS,
  LINKS,
  SIGN_INS,
  VIEWS,
  ...OWN,
]
