import type { Role } from '@bugle/contract/vocabulary'
import type { ProjectId, SignInId, UserId, ViewId } from './ids.ts'

/** A person who signs in. */
export interface UserRecord {
  readonly id: UserId
  /** In its one spelling, without capitals: no two people have the same. */
  readonly email: string
  readonly name: string
  readonly role: Role
  readonly canSeeSecurity: boolean
  /** `null`: all. One that is gone may still be listed. */
  readonly projectIds: readonly ProjectId[] | null
  /** `null` until the person has chosen a password. */
  readonly passwordHash: string | null
  readonly createdAt: number
}

export type UserChange = Partial<
  Pick<UserRecord, 'email' | 'name' | 'role' | 'canSeeSecurity' | 'projectIds'>
>

export interface PasswordCommand {
  readonly userId: UserId
  /** Of the password until now, as it was compared. */
  readonly currentHash: string | null
  readonly passwordHash: string
  /** The sign-in that goes on; all others end. */
  readonly keptSignInId: SignInId
}

/** A link that sets a password, once. */
export interface LinkRecord {
  /** SHA-256 of the token. */
  readonly hash: Uint8Array
  /** `null`: whoever uses it becomes the first person. */
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
  /** To the minute or so. */
  readonly lastSeenAt: number
}

/** A sign-in, and whose it is. */
export interface SessionRecord {
  readonly user: UserRecord
  readonly signIn: SignInRecord
}

export interface SignInUse {
  readonly id: SignInId
  readonly at: number
}

/** A list of issues that a person comes back to. */
export interface ViewRecord {
  readonly id: ViewId
  readonly userId: UserId
  readonly name: string
  readonly projectId: ProjectId
  readonly query: string
  readonly createdAt: number
}
