import type { Role } from '@bugle/contract/vocabulary'
import type { ProjectId, SignInId, UserId, ViewId } from '../../model/ids.ts'
import type { SignInRecord, UserRecord, ViewRecord } from '../../model/users.ts'

/** Links for the first person that are kept at most: each start of an empty server makes one. */
export const MAX_FIRST_LINKS = 10
/** Of a link: one for the first person ends when somebody is there, by whichever way they came. */
export const CAN_BE_USED = '(user_id IS NOT NULL OR NOT EXISTS (SELECT 1 FROM users))'
/** Sign-ins removed in one step. */
export const EXPIRY_STEP_ROWS = 500

/** The columns of a person that both databases have. How ids are stored differs. */
export interface UserColumns {
  readonly email: string
  readonly name: string
  readonly role: Role
  /** SQLite knows no other truth than 1. */
  readonly can_see_security: boolean | number
  readonly project_ids: string | null
  readonly password_hash: string | null
  readonly created_at: number
}

export function toUser(row: UserColumns, id: UserId): UserRecord {
  return {
    id,
    email: row.email,
    name: row.name,
    role: row.role,
    canSeeSecurity: row.can_see_security === true || row.can_see_security === 1,
    projectIds: row.project_ids === null ? null : (JSON.parse(row.project_ids) as ProjectId[]),
    passwordHash: row.password_hash,
    createdAt: row.created_at,
  }
}

/** The column that lists projects. */
export function projectIdsColumn({ projectIds }: Pick<UserRecord, 'projectIds'>): string | null {
  return projectIds && JSON.stringify(projectIds)
}

export interface SignInColumns {
  readonly hash: Uint8Array
  readonly user_agent: string | null
  readonly created_at: number
  readonly last_seen_at: number
}

export function toSignIn(
  row: SignInColumns,
  ids: { readonly id: SignInId; readonly userId: UserId },
): SignInRecord {
  return {
    ...ids,
    hash: new Uint8Array(row.hash),
    userAgent: row.user_agent,
    createdAt: row.created_at,
    lastSeenAt: row.last_seen_at,
  }
}

export interface ViewColumns {
  readonly name: string
  readonly query: string
  readonly created_at: number
}

export function toView(
  row: ViewColumns,
  ids: { readonly id: ViewId; readonly userId: UserId; readonly projectId: ProjectId },
): ViewRecord {
  return { ...ids, name: row.name, query: row.query, createdAt: row.created_at }
}
