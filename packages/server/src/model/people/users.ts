import type { Role } from '@bugle/contract/vocabulary'
import type { ProjectId, SignInId, UserId, ViewId } from '../ids.ts'
import { revisionOf } from '../revisions.ts'

/** Which people to list: those who have access to a project. */
export interface ProjectUsers {
  readonly projectId: ProjectId
  /** Only those who see the security lane. */
  readonly canSeeSecurity: boolean
  readonly afterId: UserId | null
  readonly limit: number
}

/** A person whose assignments are to be checked. */
export interface Unassignment {
  readonly userId: UserId
  /** How often a check has been requested since the last one was finished. */
  readonly round: number
}

/** A person who signs in. */
export interface UserRecord {
  readonly id: UserId
  /** Normalised to lower case, and unique. */
  readonly email: string
  readonly name: string
  readonly role: Role
  readonly canSeeSecurity: boolean
  /** `null`: all. Deleted projects may still be listed. */
  readonly projectIds: readonly ProjectId[] | null
  /** `null` until the person has chosen a password. */
  readonly passwordHash: string | null
  readonly createdAt: number
}

export type UserChange = Partial<
  Pick<UserRecord, 'email' | 'name' | 'role' | 'canSeeSecurity' | 'projectIds'>
>

/** Changes whenever the person is changed, though not with their password. */
export function revisionOfUser({ email, name, role, canSeeSecurity, projectIds }: UserRecord): string {
  return revisionOf({ email, name, role, canSeeSecurity, projectIds })
}

export interface PasswordCommand {
  readonly userId: UserId
  readonly at: number
  /** The hash of the current password that was checked. */
  readonly currentHash: string | null
  readonly passwordHash: string
  /** The session that continues; all others end. */
  readonly keptSignInId: SignInId
}

/** A one-time link that sets a password. */
export interface LinkRecord {
  /** SHA-256 of the token. */
  readonly hash: Uint8Array
  /** `null` for the setup link, which creates the first admin. */
  readonly userId: UserId | null
  readonly createdAt: number
  readonly expiresAt: number
}

export interface FoundLink extends LinkRecord {
  readonly user: UserRecord | null
}

export interface LinkCommand {
  readonly hash: Uint8Array
  readonly at: number
}

/** A browser in which a person is signed in. */
export interface SignInRecord {
  readonly id: SignInId
  readonly userId: UserId
  /** SHA-256 of the token. */
  readonly hash: Uint8Array
  readonly userAgent: string | null
  readonly createdAt: number
  /** To about a minute. */
  readonly lastSeenAt: number
}

/** A session and its person. */
export interface SessionRecord {
  readonly user: UserRecord
  readonly signIn: SignInRecord
}

export interface SignInUse {
  readonly id: SignInId
  readonly at: number
}

/** A saved view of a person. */
export interface ViewRecord {
  readonly id: ViewId
  readonly userId: UserId
  readonly name: string
  readonly projectId: ProjectId
  readonly query: string
  /** Whether everyone who can read the issues of the project sees it. */
  readonly isShared: boolean
  readonly createdAt: number
}

export type ViewChange = Partial<Pick<ViewRecord, 'name' | 'query' | 'isShared'>>

/** A view with the name of the person who saved it; `null` if they were removed. */
export interface NamedView extends ViewRecord {
  readonly ownerName: string | null
}
