import type { AccessTokenId, ProjectId, SignInId, UserId, ViewId } from '../../model/ids.ts'
import type { AccessTokenRecord, AccessTokenUse, OwnedToken } from '../../model/people/access-tokens.ts'
import type {
  FoundLink,
  LinkCommand,
  LinkRecord,
  NamedView,
  PasswordCommand,
  ProjectUsers,
  SessionRecord,
  SignInRecord,
  SignInUse,
  Unassignment,
  UserChange,
  UserRecord,
  ViewChange,
  ViewRecord,
} from '../../model/people/users.ts'

/** Why a right cannot be taken from a person: no one else has it. */
export type LastOfTheirKind = 'last-admin' | 'last-security-holder'

export interface UserStorage {
  /** Creating an admin invalidates setup links. */
  create(user: UserRecord): Promise<'created' | 'email-taken'>
  find(idOrEmail: string): Promise<UserRecord | undefined>
  /** Oldest first, starting after `afterId`. */
  list(afterId: UserId | null, limit: number): Promise<readonly UserRecord[]>
  /** The people who have access to a project, oldest first. */
  listOfProject(listing: ProjectUsers): Promise<readonly UserRecord[]>
  hasAdmin(): Promise<boolean>
  /**
   * Changing the email address invalidates the person's link, because it was sent to the previous address. The last
   * admin cannot lose the role, and the last person who sees security issues cannot lose that right. Issues that the person may no longer see are scheduled to be unassigned.
   */
  update(
    id: UserId,
    change: UserChange,
    ifRevision?: string | null,
  ): Promise<'updated' | 'email-taken' | 'missing' | LastOfTheirKind | 'stale'>
  /**
   * Also ends the person's other sessions and invalidates their link. Returns `outdated` and changes nothing if the
   * password or the session is no longer current: a password that was replaced through a link must not be restored.
   */
  setPassword(command: PasswordCommand): Promise<'set' | 'outdated'>
  /**
   * Also deletes sessions, access tokens, links and views, except shared ones: other people use them. Actions stay in the history, and the person's assignments are scheduled to be cleared. The last admin cannot
   * be deleted, nor can the last person who sees security issues.
   */
  delete(id: UserId): Promise<'deleted' | 'missing' | LastOfTheirKind>
  /** A person whose assignments are to be checked, if there is one. */
  nextUnassignment(): Promise<Unassignment | undefined>
  /** Unless it was added again in the meantime. */
  finishUnassignment(unassignment: Unassignment): Promise<void>
  /** Replaces the person's earlier links. Of setup links, which belong to no person, the last few are kept. */
  createLink(link: LinkRecord): Promise<'created' | 'no-user'>
  /** Also finds expired links; the caller decides. A setup link is not found once there is an admin. */
  findLink(hash: Uint8Array): Promise<FoundLink | undefined>
  /** Redeems a person's link: sets the password and, if given, the name, and ends all sessions. */
  acceptLink(
    command: LinkCommand & { readonly passwordHash: string; readonly name: string | null },
  ): Promise<UserRecord | 'missing'>
  /** Redeems a setup link: creates the first admin, unless there is one. */
  acceptFirstLink(
    command: LinkCommand & { readonly user: UserRecord },
  ): Promise<'created' | 'email-taken' | 'missing'>
  expireLinks(before: number): Promise<void>
}

export interface SignInStorage {
  /**
   * Beyond the limit, the least recently used session ends. Returns `outdated` and stores nothing if this is not the
   * person's current password: a password that was just replaced must not work.
   */
  create(signIn: SignInRecord, passwordHash: string | null): Promise<'created' | 'outdated'>
  /** Also finds expired sessions; the caller decides. */
  findByHash(hash: Uint8Array): Promise<SessionRecord | undefined>
  /** The sessions of a person, newest first. */
  list(userId: UserId): Promise<readonly SignInRecord[]>
  end(userId: UserId, id: SignInId): Promise<'ended' | 'missing'>
  endAll(userId: UserId): Promise<void>
  /** Records when sessions were last used. */
  recordUses(uses: readonly SignInUse[]): Promise<void>
  /** Deletes a batch of sessions created or last used before these times; false when none are left to delete. */
  expireSome(before: { readonly createdAt: number; readonly lastSeenAt: number }): Promise<boolean>
}

export interface AccessTokenStorage {
  create(token: AccessTokenRecord): Promise<'created' | 'too-many' | 'no-user'>
  find(id: AccessTokenId): Promise<OwnedToken | undefined>
  /** Also finds expired tokens; the caller decides. */
  findByHash(hash: Uint8Array): Promise<OwnedToken | undefined>
  /** The tokens of a person, oldest first. */
  list(userId: UserId): Promise<readonly AccessTokenRecord[]>
  /** Deletes it. */
  revoke(id: AccessTokenId): Promise<'revoked' | 'missing'>
  /** Records when tokens were last used. */
  recordUses(uses: readonly AccessTokenUse[]): Promise<void>
}

export interface ViewStorage {
  create(view: ViewRecord): Promise<'created' | 'too-many' | 'too-many-shared' | 'no-user' | 'no-project'>
  find(id: ViewId): Promise<NamedView | undefined>
  /** The views of a person, oldest first. */
  list(userId: UserId): Promise<readonly NamedView[]>
  /** The views of a person in a project, and those that others share there, oldest first. */
  listOfProject(userId: UserId, projectId: ProjectId): Promise<readonly NamedView[]>
  /** Of its owner only. */
  update(
    userId: UserId,
    id: ViewId,
    change: ViewChange,
  ): Promise<'updated' | 'missing' | 'too-many-shared' | 'no-project'>
  delete(userId: UserId, id: ViewId): Promise<'deleted' | 'missing'>
  /** Deletes a view that is still shared, whoever saved it. */
  deleteShared(id: ViewId): Promise<'deleted' | 'missing'>
}
