import type { IssueId, KeyId, ProjectId } from '../ids.ts'
import type {
  ChangeOutcome,
  EventPart,
  EventRecord,
  EventSelection,
  EventWindow,
  IntakeEntry,
  IssueChangeOrder,
  IssueListing,
  IssueListPart,
  IssueRecord,
  IssueSelection,
  KeyRecord,
  KeyUse,
  Lane,
  NewReport,
  ProjectChange,
  ProjectRecord,
  ReportRecord,
  SdkReports,
  SdkSettings,
  StatsRecord,
  SubmitOutcome,
} from './records.ts'

/** THE PORT: what the service needs from a database. Each method is atomic; a promise of a write settles after its commit is on disk. */
export interface Storage {
  readonly projects: ProjectStorage
  readonly keys: KeyStorage
  readonly issues: IssueStorage
  readonly events: EventStorage
  readonly stats: StatsStorage
  /** What opening it did to the schema. */
  readonly migration: { readonly from: number; readonly to: number }
  /** Changes whenever a project or a key does, in whatever process. */
  catalogVersion(): Promise<number>
  /** Fails unless the database can be read and written now. */
  probe(): Promise<void>
  /** Finishes what was accepted, then lets go of the database. */
  close(): Promise<void>
}

export interface ProjectStorage {
  /** Answers `slug-taken` and stores nothing if another project has the slug. */
  create(project: ProjectRecord): Promise<'created' | 'slug-taken'>
  find(idOrSlug: string): Promise<ProjectRecord | undefined>
  findByOrdinal(ordinal: number): Promise<ProjectRecord | undefined>
  /** In the order they were made, from the one after `afterOrdinal`. */
  list(afterOrdinal: number | null, limit: number): Promise<readonly ProjectRecord[]>
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
  find(projectId: ProjectId, id: IssueId): Promise<IssueRecord | undefined>
  /** Applies what people want changed, and writes what it was into the history. */
  change(order: IssueChangeOrder): Promise<ChangeOutcome>
  /** Removes an issue with its reports and its history; that it was deleted stays in the log. */
  delete(order: Omit<IssueChangeOrder, 'patch' | 'ifVersions'>): Promise<'deleted' | 'missing'>
  list(listing: IssueListing): Promise<IssueListPart>
  /** How many there are, if counters know it or few enough need looking at. */
  count(selection: IssueSelection): Promise<number | null>
  /** The history of an issue, oldest first, without its further reports. */
  listEvents(issue: IssueRecord, afterPosition: number, limit: number): Promise<readonly EventRecord[]>
  /** Where it happened, newest first. */
  listReports(issue: IssueRecord, beforeNumber: number, limit: number): Promise<readonly ReportRecord[]>
}

export interface EventStorage {
  list(selection: EventSelection): Promise<EventPart>
  window(projectId: ProjectId): Promise<EventWindow>
  /** Calls when events may have been written: of a project, or `null` for any. Returns how to stop it. */
  subscribe(listener: (projectId: ProjectId | null) => void): () => void
  /** Lets go of events that readers are no longer promised, a step at a time; false when there is nothing left to do. */
  expireSome(projectId: ProjectId, before: number): Promise<boolean>
}

export interface StatsStorage {
  read(projectId: ProjectId, lanes: readonly Lane[]): Promise<StatsRecord>
  /** Adds what was counted in memory: submissions that were refused or limited. */
  addIntake(projectId: ProjectId, entries: readonly IntakeEntry[]): Promise<void>
}

/** The database could not be opened; the message says why, for people. */
export class StorageNotOpened extends Error {
  override readonly name = 'StorageNotOpened'
}

/** The database can not take this now; nothing was stored. */
export class StorageUnavailable extends Error {
  override readonly name = 'StorageUnavailable'
}
