import type { AuditActor } from '../model/audit-log.ts'
import type { FileStore } from './files/file-store.ts'
import type { AttachmentStorage } from './ports/attachments.ts'
import type { AuditStorage } from './ports/audit-log.ts'
import type { CommentStorage } from './ports/comments.ts'
import type { EventStorage, IssueStorage } from './ports/issues.ts'
import type { KnownIssueStorage } from './ports/known-issues.ts'
import type { MyReportStorage } from './ports/my-reports.ts'
import type { AccessTokenStorage, SignInStorage, UserStorage, ViewStorage } from './ports/people.ts'
import type { KeyStorage, LabelStorage, ProjectStorage } from './ports/projects.ts'
import type { SdkBuildStorage } from './ports/sdk-builds.ts'
import type { SenderStorage } from './ports/senders.ts'
import type { SeenStorage, StatsStorage } from './ports/statistics.ts'
import type { DeliveryStorage, WebhookStorage } from './ports/webhooks.ts'
import type { TransferStorage } from './transfer.ts'

/**
 * THE PORT: what the service needs from a database. Each method is atomic. The promise of a write settles once its
 * commit is on disk. In records, times are in milliseconds, and absent values are `null`.
 */
export interface Storage {
  readonly projects: ProjectStorage
  readonly keys: KeyStorage
  readonly labels: LabelStorage
  readonly issues: IssueStorage
  readonly events: EventStorage
  readonly attachments: AttachmentStorage
  readonly comments: CommentStorage
  readonly senders: SenderStorage
  readonly myReports: MyReportStorage
  readonly knownIssues: KnownIssueStorage
  readonly webhooks: WebhookStorage
  readonly deliveries: DeliveryStorage
  readonly stats: StatsStorage
  readonly seenValues: SeenStorage
  readonly transfer: TransferStorage
  readonly users: UserStorage
  readonly signIns: SignInStorage
  readonly accessTokens: AccessTokenStorage
  readonly views: ViewStorage
  readonly auditLog: AuditStorage
  readonly sdkBuilds: SdkBuildStorage
  /**
   * The same storage for one actor: its changes to projects, keys, labels, people, webhooks and settings are recorded in
   * the audit log, in the same transaction. Without an actor nothing is recorded.
   */
  actingAs(actor: AuditActor, clock: () => number): Storage
  /** Stores the bytes of attachments in the database itself; `null` if the database does not support that. */
  readonly ownFiles: FileStore | null
  readonly migration: Migration
  /** Changes whenever a project, a key or the permissions of a person change, in any process. */
  catalogVersion(): Promise<number>
  /** Fails unless the database can be read and written now. */
  probe(): Promise<void>
  /** The number of writes that are waiting for a commit or being committed. */
  countPendingWrites(): number
  /** Announces to the other servers on the database that this one is running. A server that stops calling this is no longer counted. */
  beat(): Promise<Heartbeat>
  /** The time of the database; `null` if it has no clock of its own. */
  readClock(): Promise<number | null>
  /** Finishes accepted operations, then closes the database. */
  close(): Promise<void>
}

/** The schema versions before and after the database was opened. */
export interface Migration {
  readonly from: number
  readonly to: number
  /** The file with the database as it was before, if one was kept. */
  readonly copy?: string
}

export interface Heartbeat {
  /** How many servers are running on the database. */
  readonly nodes: number
  /** Why this one may not use it: a newer release has migrated it, or its schema was replaced. `null` while it may. */
  readonly fault: string | null
}

/** What a storage reports to the code that opened it. */
export interface StorageObserver {
  /** Called when the storage cannot continue because one of its threads has crashed. */
  readonly onCrash: (error: Error) => void
  readonly onCommit?: CommitObserver | undefined
  /** Called when the full-text index has failed. Until it is rebuilt, searches scan issues directly, within bounds. */
  readonly onIndexDamage?: ((reason: string) => void) | undefined
  readonly onMigrationStep?: MigrationObserver | undefined
}

/** Called before each step of a migration that may take long: not for a new database. */
export type MigrationObserver = (step: MigrationStep) => void

export interface MigrationStep {
  /** Counts from 1. */
  readonly step: number
  readonly steps: number
  readonly toVersion: number
}

/** Called with the number of writes in a commit and its duration, including the wait. */
export type CommitObserver = (calls: number, seconds: number) => void

/** The database could not be opened. The message explains why, for people. */
export class StorageNotOpened extends Error {
  override readonly name = 'StorageNotOpened'
}

/** The caller no longer waits for the read, so it was stopped or never started. */
export class ReadCancelled extends Error {
  override readonly name = 'ReadCancelled'
}

/** The database cannot accept the operation at the moment; nothing was stored. */
export class StorageUnavailable extends Error {
  override readonly name = 'StorageUnavailable'
}
