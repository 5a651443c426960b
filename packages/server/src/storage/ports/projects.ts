import type { KeyId, ProjectId } from '../../model/ids.ts'
import type { KeyChange, KeyRecord, KeyUse } from '../../model/keys.ts'
import type { DeletedLabel, LabelChange, LabelRecord, NewLabel } from '../../model/labels.ts'
import type {
  AppIssues,
  ProjectChange,
  ProjectPlace,
  ProjectRecord,
  SdkReports,
  SdkSettings,
} from '../../model/projects.ts'
import type { IssuePlace } from './issues.ts'

export interface ProjectStorage {
  /** Returns `slug-taken` and stores nothing if another project has the slug. */
  create(project: ProjectRecord): Promise<'created' | 'slug-taken'>
  find(idOrSlug: string): Promise<ProjectRecord | undefined>
  findByNumber(projectNumber: number): Promise<ProjectRecord | undefined>
  /** Oldest first, starting after a position; `null` to start from the beginning. */
  list(after: ProjectPlace | null, limit: number): Promise<readonly ProjectRecord[]>
  /** With `ifRevision`, returns `stale` and changes nothing if this is no longer the revision of the project. */
  update(
    id: ProjectId,
    change: ProjectChange,
    ifRevision?: string | null,
  ): Promise<'updated' | 'slug-taken' | 'missing' | 'stale'>
  /** Empty until settings are saved. Fields added in later releases are missing. */
  findSdkSettings(id: ProjectId): Promise<Partial<SdkSettings> | undefined>
  saveSdkSettings(
    id: ProjectId,
    settings: SdkSettings,
    ifRevision?: string | null,
  ): Promise<'saved' | 'missing' | 'stale'>
  /** The number of reports by SDK version since a day (`2026-11-15`, UTC). */
  countSdkReports(id: ProjectId, sinceDay: string): Promise<readonly SdkReports[]>
  /** The number of issues by app, among the newest 10,000, created since a time. Only issues in the open lane. */
  countAppIssues(id: ProjectId, since: number): Promise<readonly AppIssues[]>
  /** Projects that are hidden, and whose deletion is not finished. */
  listDeleted(): Promise<readonly ProjectId[]>
  /** Hides the project and removes its keys at once, then a batch of its issues. Repeat until `isFinished`. */
  delete(id: ProjectId): Promise<{ readonly removedIssues: number; readonly isFinished: boolean }>
  /** Only continues the deletion of a hidden project. A project of the same id that was imported since then is left alone. */
  removeDeleted(id: ProjectId): Promise<{ readonly removedIssues: number; readonly isFinished: boolean }>
}

export interface KeyStorage {
  /** Returns `no-project` and stores nothing if the key's project was deleted. */
  create(key: KeyRecord): Promise<'created' | 'no-project'>
  /** Also finds revoked keys; the caller decides whether to accept them. */
  findByHash(hash: Uint8Array): Promise<KeyRecord | undefined>
  /** The keys of a project, or those of the instance, oldest first. */
  list(projectId: ProjectId | null): Promise<readonly KeyRecord[]>
  find(id: KeyId): Promise<KeyRecord | undefined>
  /** Not for revoked keys, which are treated as missing. */
  update(id: KeyId, change: KeyChange, ifRevision?: string | null): Promise<KeyRecord | 'missing' | 'stale'>
  revoke(id: KeyId, at: number): Promise<'revoked' | 'already-revoked' | 'missing'>
  /** Records when keys were last used. */
  recordUses(uses: readonly KeyUse[]): Promise<void>
}

export interface LabelStorage {
  /** Stores nothing if the project was deleted, has a label of this name, or as many as it may have. */
  create(label: NewLabel): Promise<LabelRecord | 'no-project' | 'name-taken' | 'too-many'>
  /** In the order they were created. */
  list(projectId: ProjectId): Promise<readonly LabelRecord[]>
  /** Here and below, the case of letters in a name does not matter. */
  update(
    projectId: ProjectId,
    name: string,
    change: LabelChange,
    ifRevision?: string | null,
  ): Promise<LabelRecord | 'missing' | 'name-taken' | 'stale'>
  /** The label is no longer shown. It has to be taken from issues in steps. */
  delete(projectId: ProjectId, name: string): Promise<'deleted' | 'missing'>
  /** A deleted label that issues may still have, if there is one. */
  nextDeleted(): Promise<DeletedLabel | undefined>
  /** Some issues that have a deleted label. */
  listLabelled(label: DeletedLabel, limit: number): Promise<readonly IssuePlace[]>
  finishDeleted(label: DeletedLabel): Promise<void>
}
