import type { IssueId, KeyId, ProjectId } from '../ids.ts'
import type {
  IssueRecord,
  IssueSelection,
  KeyRecord,
  ListStart,
  NewReport,
  ProjectChange,
  ProjectRecord,
  SubmitOutcome,
} from './records.ts'

/** THE PORT: what the service needs from a database. Each method is atomic; a promise of a write settles after its commit is on disk. */
export interface Storage {
  readonly projects: ProjectStorage
  readonly keys: KeyStorage
  readonly issues: IssueStorage
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
  list(): Promise<readonly ProjectRecord[]>
  update(id: ProjectId, change: ProjectChange): Promise<'updated' | 'slug-taken' | 'missing'>
  /** Hides the project and removes its keys at once, then some of its issues: repeat until it is `finished`. */
  delete(id: ProjectId): Promise<{ readonly removedIssues: number; readonly isFinished: boolean }>
}

export interface KeyStorage {
  create(key: KeyRecord): Promise<void>
  /** Also finds a revoked key: the caller decides. */
  findByHash(hash: Uint8Array): Promise<KeyRecord | undefined>
  /** The keys of a project, or those of the instance, oldest first. */
  list(projectId: ProjectId | null): Promise<readonly KeyRecord[]>
  revoke(id: KeyId, at: number): Promise<'revoked' | 'already-revoked' | 'missing'>
}

export interface IssueStorage {
  /** Stores a report exactly once: with the same submission id, the first receipt comes again. */
  submit(report: NewReport): Promise<SubmitOutcome>
  find(projectId: ProjectId, id: IssueId): Promise<IssueRecord | undefined>
  /** Newest first, at most `limit`. */
  list(selection: IssueSelection, start: ListStart, limit: number): Promise<readonly IssueRecord[]>
  /** How many there are, from counters kept with the writes. */
  count(selection: IssueSelection): Promise<number>
}

/** The database can not take this now; nothing was stored. */
export class StorageUnavailable extends Error {
  override readonly name = 'StorageUnavailable'
}
