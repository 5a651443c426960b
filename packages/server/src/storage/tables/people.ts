import type { AuditEntry } from '../../model/audit-log.ts'
import type { AccessTokenRecord } from '../../model/people/access-tokens.ts'
import type { LinkRecord, SignInRecord, UserRecord, ViewRecord } from '../../model/people/users.ts'
import { bytes, flag, id, json, lane, plain, type TableInfo, table } from './table-kinds.ts'

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
  {
    ...plain('name query createdAt'),
    id: id('viw'),
    userId: id('usr'),
    projectId: id('prj'),
    isShared: flag,
  },
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

/** People whose assignments are to be checked: they were removed, or have lost access to something. */
export const UNASSIGNMENTS: TableInfo = {
  name: 'unassignments',
  owner: 'instance',
  key: ['userId'],
  columns: plain('userId round'),
}

export const PEOPLE_TABLES: readonly TableInfo[] = [
  USERS,
  LINKS,
  SIGN_INS,
  ACCESS_TOKENS,
  VIEWS,
  AUDIT_LOG,
  UNASSIGNMENTS,
]
