import type { Actor, EventPart, EventRecord, EventSelection, EventWindow } from '../model/events.ts'
import type { IssueId, KeyId, ProjectId, SignInId, UserId, ViewId, WebhookId } from '../model/ids.ts'
import type { IssueListing, IssueListPart, IssueSelection, StatusCounts } from '../model/issue-lists.ts'
import type {
  ChangeOutcome,
  DeleteOutcome,
  IssueChangeCommand,
  IssueDeleteCommand,
  StoredIssue,
} from '../model/issues.ts'
import type { KeyRecord, KeyUse } from '../model/keys.ts'
import type { Lane } from '../model/lanes.ts'
import type {
  ProjectChange,
  ProjectPlace,
  ProjectRecord,
  SdkReports,
  SdkSettings,
} from '../model/projects.ts'
import type { NewReport, ReportRecord, SubmitOutcome } from '../model/reports.ts'
import type { CountedIssue, IntakeEntry, PeriodSelection, StatsRecord } from '../model/stats.ts'
import type {
  FoundLink,
  LinkCommand,
  LinkRecord,
  PasswordCommand,
  SessionRecord,
  SignInRecord,
  SignInUse,
  UserChange,
  UserRecord,
  ViewRecord,
} from '../model/users.ts'
import type {
  AttemptCommand,
  AttemptRecord,
  Claim,
  ClaimCommand,
  DeliveryRecord,
  NewWebhook,
  SecretCommand,
  WebhookChangeCommand,
  WebhookCommand,
  WebhookRecord,
} from '../model/webhooks.ts'
import type { TransferStorage } from './transfer.ts'

/**
 * THE PORT: what the service needs from a database. Each method is atomic; a promise of a write settles after its commit is on disk.
 * In the records, times are milliseconds and absence is `null`.
 */
export interface Storage {
  readonly projects: ProjectStorage
  readonly keys: KeyStorage
  readonly issues: IssueStorage
  readonly events: EventStorage
  readonly webhooks: WebhookStorage
  readonly deliveries: DeliveryStorage
  readonly stats: StatsStorage
  readonly transfer: TransferStorage
  readonly users: UserStorage
  readonly signIns: SignInStorage
  readonly views: ViewStorage
  /** What opening it did to the schema. */
  readonly migration: { readonly from: number; readonly to: number }
  /** Changes whenever a project or a key does, or what a person may do, in whatever process. */
  catalogVersion(): Promise<number>
  /** Fails unless the database can be read and written now. */
  probe(): Promise<void>
  /** How many writes wait for a commit or are in one. */
  countPendingWrites(): number
  /** Tells the other servers on the database that this one is at work, and answers how many are; silent ones no longer count. */
  beat(): Promise<number>
  /** Finishes what was accepted, then lets go of the database. */
  close(): Promise<void>
}

export interface ProjectStorage {
  /** Answers `slug-taken` and stores nothing if another project has the slug. */
  create(project: ProjectRecord): Promise<'created' | 'slug-taken'>
  find(idOrSlug: string): Promise<ProjectRecord | undefined>
  findByNumber(ordinal: number): Promise<ProjectRecord | undefined>
  /** Oldest first, those after a place; `null`: from the first. */
  list(after: ProjectPlace | null, limit: number): Promise<readonly ProjectRecord[]>
  update(id: ProjectId, change: ProjectChange): Promise<'updated' | 'slug-taken' | 'missing'>
  /** Empty until something is saved; a member that was unknown then is missing. */
  findSdkSettings(id: ProjectId): Promise<Partial<SdkSettings> | undefined>
  saveSdkSettings(id: ProjectId, settings: SdkSettings): Promise<'saved' | 'missing'>
  /** From which versions of the SDK reports came since a day (`2026-11-15`, UTC). */
  countSdkReports(id: ProjectId, sinceDay: string): Promise<readonly SdkReports[]>
  /** Hides the project and removes its keys at once, then some of its issues: repeat until it is `finished`. */
  delete(id: ProjectId): Promise<{ readonly removedIssues: number; readonly isFinished: boolean }>
}

export interface KeyStorage {
  /** Answers `no-project` and stores nothing if the key's project is gone. */
  create(key: KeyRecord): Promise<'created' | 'no-project'>
  /** Also finds a revoked key: the caller decides. */
  findByHash(hash: Uint8Array): Promise<KeyRecord | undefined>
  /** The keys of a project, or those of the instance, oldest first. */
  list(projectId: ProjectId | null): Promise<readonly KeyRecord[]>
  revoke(id: KeyId, at: number): Promise<'revoked' | 'already-revoked' | 'missing'>
  /** Notes when keys were last used. */
  recordUses(uses: readonly KeyUse[]): Promise<void>
}

export interface IssueStorage {
  /** Stores a report exactly once: with the same submission id, the first receipt comes again. */
  submit(report: NewReport): Promise<SubmitOutcome>
  find(projectId: ProjectId, id: IssueId): Promise<StoredIssue | undefined>
  findByNumber(projectId: ProjectId, issueNumber: number): Promise<StoredIssue | undefined>
  /** Applies what people want changed, and writes what it was into the history. */
  change(order: IssueChangeCommand): Promise<ChangeOutcome>
  /** Removes an issue with its reports and its history; that it was deleted stays in the log. */
  delete(order: IssueDeleteCommand): Promise<DeleteOutcome>
  /** Removes some of the rows that deleted issues have left, unseen; false if there is nothing left to do. */
  removeDeleted(limit?: number): Promise<boolean>
  /** Throws {@link ReadCancelled} if the signal says that nobody waits for it any more. */
  list(listing: IssueListing, signal?: AbortSignal): Promise<IssueListPart>
  /** How many there are, if counters know it or few enough need looking at. */
  count(selection: IssueSelection, signal?: AbortSignal): Promise<number | null>
  /** The same for each status; statuses in the selection are ignored. All counts are of one moment. */
  countByStatus(selection: IssueSelection, signal?: AbortSignal): Promise<StatusCounts>
  /** Changes whenever a list of issues in these lanes may, and never for what happens in other lanes. */
  revision(projectId: ProjectId, lanes: readonly Lane[]): Promise<string>
  /** The history of an issue, oldest first, without its further reports. Positions are counted as in these lanes. */
  listEvents(listing: HistoryListing): Promise<readonly EventRecord[]>
  /** Where it happened, newest first. */
  listReports(issue: StoredIssue, beforeNumber: number, limit: number): Promise<readonly ReportRecord[]>
}

export interface HistoryListing {
  readonly issue: StoredIssue
  readonly lanes: readonly Lane[]
  readonly afterPosition: number
  readonly limit: number
}

export interface EventStorage {
  list(selection: EventSelection): Promise<EventPart>
  window(projectId: ProjectId, lanes: readonly Lane[]): Promise<EventWindow>
  /** Calls when events may have been written, or deliveries be due: of a project, or `null` for any. Returns how to stop it. */
  subscribe(listener: (projectId: ProjectId | null) => void): () => void
  /** What actors are called now. One that has no name, or is gone, is missing. */
  findActorNames(actors: readonly NonNullable<Actor>[]): Promise<ReadonlyMap<Actor, string>>
  /** Lets go of events that readers are no longer promised, a step at a time; false when there is nothing left to do. */
  expireSome(projectId: ProjectId, before: number): Promise<boolean>
}

export interface WebhookStorage {
  /** Stores nothing if the project is gone, or has as many webhooks of the same lane as there may be: others are not counted, so nothing is learnt about them. */
  create(webhook: NewWebhook): Promise<WebhookRecord | 'no-project' | 'too-many'>
  find(projectId: ProjectId, id: WebhookId): Promise<WebhookRecord | undefined>
  /** Oldest first, from the one after `afterNumber`. */
  list(listing: {
    readonly projectId: ProjectId
    readonly lanes: readonly Lane[]
    readonly afterNumber: number
    readonly limit: number
  }): Promise<readonly WebhookRecord[]>
  /** Changes, pauses or resumes; `undefined` if it is missing, `too-many` if it would change lanes and the other is full. What failed before it was paused is pending again. */
  change(order: WebhookChangeCommand): Promise<WebhookRecord | 'too-many' | undefined>
  rotateSecret(order: SecretCommand): Promise<WebhookRecord | undefined>
  delete(order: WebhookCommand): Promise<'deleted' | 'missing'>
}

/** THE LOG IS THE OUTBOX: events become deliveries only here, when somebody asks. */
export interface DeliveryStorage {
  /** Webhooks that the log has gone past and that have room for more pending deliveries. */
  listBehind(limit: number): Promise<readonly Pick<WebhookRecord, 'id' | 'projectId'>[]>
  /** Turns the next events that a webhook wants into pending deliveries, a step at a time; false if there are none, or another node is at it. */
  fanOut(projectId: ProjectId, id: WebhookId, now: number): Promise<boolean>
  /** Whether there is something to claim. */
  isAnyDue(now: number): Promise<boolean>
  /** Hands out what is due and held by nobody. What a webhook must no longer see is dropped instead. */
  claimDue(order: ClaimCommand): Promise<readonly Claim[]>
  /** Notes an attempt and what follows from it; says nothing if the delivery is gone. */
  recordAttempt(order: AttemptCommand): Promise<void>
  /** Newest event first, from the one before `beforePosition`; only of events in these lanes that are still in the log. Positions are counted as in these lanes, here and below. */
  list(
    listing: WebhookCommand & { readonly beforePosition: number; readonly limit: number },
  ): Promise<readonly DeliveryRecord[]>
  find(order: WebhookCommand, position: number): Promise<DeliveryRecord | undefined>
  countPending(webhook: WebhookRecord): Promise<number>
  /** The same for some webhooks of one project, in their order. */
  countPendingOf(webhooks: readonly WebhookRecord[]): Promise<readonly number[]>
  listAttempts(order: WebhookCommand, position: number): Promise<readonly AttemptRecord[]>
  /** Makes it pending again, with the whole schedule before it. */
  redeliver(order: WebhookCommand, position: number, now: number): Promise<'pending' | 'missing'>
  /** Lets go of finished deliveries, a step at a time; false when there is nothing left to do. */
  expireSome(projectId: ProjectId, before: number): Promise<boolean>
}

export interface StatsStorage {
  read(projectId: ProjectId, lanes: readonly Lane[]): Promise<StatsRecord>
  /** Adds what was counted in memory: submissions that were refused or limited. */
  addIntake(projectId: ProjectId, entries: readonly IntakeEntry[]): Promise<void>
  /** What is counted of the issues of a period, newest first; of those that were looked at. */
  listPeriod(selection: PeriodSelection): Promise<readonly CountedIssue[]>
}

export interface UserStorage {
  /** With an admin, setup links end. */
  create(user: UserRecord): Promise<'created' | 'email-taken'>
  find(idOrEmail: string): Promise<UserRecord | undefined>
  /** Oldest first, from the one after `afterId`. */
  list(afterId: UserId | null, limit: number): Promise<readonly UserRecord[]>
  hasAdmin(): Promise<boolean>
  /** With another e-mail address the person's link ends: it was sent to the one before. The last admin stays one. */
  update(id: UserId, change: UserChange): Promise<'updated' | 'email-taken' | 'missing' | 'last-admin'>
  /**
   * Ends the person's other sign-ins and their link too. Answers `outdated` and changes nothing unless they have the
   * current password and the sign-in now: one that a link has replaced meanwhile must not come back.
   */
  setPassword(order: PasswordCommand): Promise<'set' | 'outdated'>
  /** With sign-ins, links and views. What the person did stays in the history. The last admin stays. */
  delete(id: UserId): Promise<'deleted' | 'missing' | 'last-admin'>
  /** Takes the place of earlier links of the person; of setup links, which belong to nobody, a few are kept. */
  createLink(link: LinkRecord): Promise<'created' | 'no-user'>
  /** Also finds one whose time is over: the caller decides. A setup link is not found once there is an admin. */
  findLink(hash: Uint8Array): Promise<FoundLink | undefined>
  /** Uses a person's link up: sets the password and, if it is given, the name, and ends every sign-in. */
  acceptLink(
    order: LinkCommand & { readonly passwordHash: string; readonly name: string | null },
  ): Promise<UserRecord | 'missing'>
  /** Uses up a setup link: creates the first admin, unless there is one. */
  acceptFirstLink(
    order: LinkCommand & { readonly user: UserRecord },
  ): Promise<'created' | 'email-taken' | 'missing'>
  expireLinks(before: number): Promise<void>
}

export interface SignInStorage {
  /**
   * One more than a person may have ends the one not seen for longest. Answers `outdated` and stores nothing unless the
   * person has this password now: one that was just replaced must not let anybody in.
   */
  create(signIn: SignInRecord, passwordHash: string | null): Promise<'created' | 'outdated'>
  /** Also finds one that is over: the caller decides. */
  findByHash(hash: Uint8Array): Promise<SessionRecord | undefined>
  /** Of a person, newest first. */
  list(userId: UserId): Promise<readonly SignInRecord[]>
  end(userId: UserId, id: SignInId): Promise<'ended' | 'missing'>
  endAll(userId: UserId): Promise<void>
  /** Notes when sign-ins were last used. */
  recordUses(uses: readonly SignInUse[]): Promise<void>
  /** Lets go of those that began, or were last seen, before a time, a step at a time; false when nothing is left to do. */
  expireSome(before: { readonly createdAt: number; readonly lastSeenAt: number }): Promise<boolean>
}

export interface ViewStorage {
  create(view: ViewRecord): Promise<'created' | 'too-many' | 'no-user'>
  /** Of a person, oldest first. */
  list(userId: UserId): Promise<readonly ViewRecord[]>
  delete(userId: UserId, id: ViewId): Promise<'deleted' | 'missing'>
}

/** What a storage tells whoever opened it. */
export interface StorageObserver {
  /** It can not go on: a thread of its own has died of a fault. */
  readonly onCrash: (error: Error) => void
  readonly onCommit?: CommitObserver | undefined
  /** The full-text index has failed: searches look at issues without it, within their bounds, until it is rebuilt. */
  readonly onIndexDamage?: ((reason: string) => void) | undefined
}

/** Is told how many writes were committed together, and how long that took from when they were sent on their way. */
export type CommitObserver = (calls: number, seconds: number) => void

/** The database could not be opened; the message says why, for people. */
export class StorageNotOpened extends Error {
  override readonly name = 'StorageNotOpened'
}

/** Nobody waits for the result of a read any more: it was not begun, or was stopped. */
export class ReadCancelled extends Error {
  override readonly name = 'ReadCancelled'
}

/** The database can not take this now; nothing was stored. */
export class StorageUnavailable extends Error {
  override readonly name = 'StorageUnavailable'
}
