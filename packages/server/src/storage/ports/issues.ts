import type { BulkCommand, BulkOutcome, BulkRecord, SelectedIssue } from '../../model/bulk-changes.ts'
import type { Actor, EventPart, EventRecord, EventSelection, EventWindow } from '../../model/events.ts'
import type { IssueId, ProjectId, ReportId, UserId } from '../../model/ids.ts'
import type {
  IssueListing,
  IssueListPart,
  IssueSelection,
  JointListing,
  JointListPart,
  ListedIssue,
  StatusCounts,
} from '../../model/issue-lists.ts'
import type {
  ChangeOutcome,
  DeleteOutcome,
  IssueChangeCommand,
  IssueDeleteCommand,
  MergeCommand,
  MergeOutcome,
  RetrievedIssue,
  SpamCommand,
  SpamOutcome,
  StoredIssue,
  UnassignCommand,
} from '../../model/issues.ts'
import type { UnlabelCommand } from '../../model/labels.ts'
import type { Lane } from '../../model/lanes.ts'
import type { UserRecord } from '../../model/people/users.ts'
import type {
  NewReport,
  ReportCommand,
  ReportOutcome,
  ReportRecord,
  SubmitOutcome,
} from '../../model/reports/reports.ts'

/** Lets a write be given up until its transaction begins. */
export interface Revocation {
  /** Once it is aborted, the write fails with its reason, unless the transaction has begun. */
  readonly signal: AbortSignal
  /** Called when the transaction begins. */
  keep(): void
}

export interface IssueStorage {
  /** Stores a report exactly once: repeating a submission id returns the first receipt again. A report can be given up until its transaction begins. */
  submit(report: NewReport, revocation?: Revocation): Promise<SubmitOutcome>
  find(projectId: ProjectId, id: IssueId): Promise<RetrievedIssue | undefined>
  findByNumber(projectId: ProjectId, issueNumber: number): Promise<RetrievedIssue | undefined>
  /** Applies requested changes, and records them in the history. */
  change(command: IssueChangeCommand): Promise<ChangeOutcome>
  /** Makes an issue a duplicate of another one, or no longer a duplicate. */
  merge(command: MergeCommand): Promise<MergeOutcome>
  /** The duplicates of an issue, newest first. */
  listDuplicates(listing: DuplicateListing): Promise<readonly ListedIssue[]>
  /** The reports of an issue and of its duplicates, newest first. */
  listMergedReports(listing: MergedReportListing): Promise<readonly MergedReport[]>
  /** Marks an issue as spam, or removes the mark, and records it in the history. */
  markSpam(command: SpamCommand): Promise<SpamOutcome>
  /** Some issues of a project that were marked as spam before a time, oldest first. */
  listSpam(projectId: ProjectId, before: number, limit: number): Promise<readonly SelectedIssue[]>
  /** Changes or deletes several issues, all of them or none, once per id. */
  changeSeveral(command: BulkCommand): Promise<BulkOutcome>
  /** A bulk change that was made. */
  findBulkChange(projectId: ProjectId, id: string): Promise<BulkRecord | undefined>
  /** Deletes an issue with its reports and its history. The log keeps an event for the deletion. */
  delete(command: IssueDeleteCommand): Promise<DeleteOutcome>
  /** Some issues that are assigned to a person who may not see them; to anyone if `user` is missing. */
  listUnassignable(
    userId: UserId,
    user: UserRecord | undefined,
    limit: number,
  ): Promise<readonly IssuePlace[]>
  /** False if the issue is no longer assigned to the person. */
  unassign(command: UnassignCommand): Promise<boolean>
  /** Takes a deleted label from an issue; false if the issue does not have it. */
  unlabel(command: UnlabelCommand): Promise<boolean>
  /** Deletes a batch of hidden rows that deleted issues left behind; false when there is nothing left to delete. */
  removeDeleted(limit?: number): Promise<boolean>
  /** Throws {@link ReadCancelled} if the signal is aborted. */
  list(listing: IssueListing, signal?: AbortSignal): Promise<IssueListPart>
  /** The same for several projects. */
  listJointly(listing: JointListing, signal?: AbortSignal): Promise<JointListPart>
  /** The number of matches; `null` if the counters do not have it and too many rows would have to be examined. */
  count(selection: IssueSelection, signal?: AbortSignal): Promise<number | null>
  /** The same for each status. Statuses in the selection are ignored. All counts are from the same snapshot. */
  countByStatus(selection: IssueSelection, signal?: AbortSignal): Promise<StatusCounts>
  /** Changes whenever a list of issues in these lanes may have changed, and never because of other lanes. */
  revision(projectId: ProjectId, lanes: readonly Lane[]): Promise<string>
  /** The history of an issue, oldest first, without reports after the first. Positions are counted in these lanes. */
  listEvents(listing: HistoryListing): Promise<readonly EventRecord[]>
  /** The reports of an issue, newest first. */
  listReports(listing: ReportListing): Promise<readonly ReportRecord[]>
  findReport(issue: StoredIssue, id: ReportId): Promise<ReportRecord | undefined>
  /** Deletes one report, with its text unless other reports have the same. The first report cannot be deleted alone. */
  deleteReport(command: ReportCommand): Promise<ReportOutcome>
  /** Removes the metadata of a report, and its text from every report that has it. */
  redactReport(command: ReportCommand): Promise<ReportOutcome>
}

export interface ReportListing {
  readonly issue: StoredIssue
  /** Reports with a lower number; if only distinct texts are listed, those with a text of a lower number. */
  readonly before: number
  readonly limit: number
  /** Whether to list only the first report with each text. */
  readonly isDistinct: boolean
  /**
   * Ends the list soon after this many characters of text and metadata, but not before the second report. At 0, these are not read, and are
   * incomplete in the result. By default, everything is read.
   */
  readonly maxChars?: number
}

export interface MergedReportListing
  extends Pick<ReportListing, 'issue' | 'limit' | 'isDistinct' | 'maxChars'> {
  /** As `before` in {@link ReportListing}, by issue number. An issue that is missing here is listed from its newest report. */
  readonly places: ReadonlyMap<number, number>
}

/** A report, and the issue that it belongs to. */
export interface MergedReport {
  readonly issue: StoredIssue
  readonly report: ReportRecord
}

export interface DuplicateListing {
  readonly issue: StoredIssue
  /** Duplicates with a lower number. */
  readonly before: number
  readonly limit: number
}

/** An issue, by its ids. */
export type IssuePlace = Pick<StoredIssue, 'projectId'> & { readonly issueId: IssueId }

export interface HistoryListing {
  readonly issue: StoredIssue
  readonly lanes: readonly Lane[]
  readonly afterPosition: number
  readonly limit: number
}

export interface EventStorage {
  list(selection: EventSelection): Promise<EventPart>
  window(projectId: ProjectId, lanes: readonly Lane[]): Promise<EventWindow>
  /**
   * Calls the listener when a project may have new events or due deliveries; with `null` if any project may. Returns a
   * function that unsubscribes.
   */
  subscribe(listener: (projectId: ProjectId | null) => void): () => void
  /** The current names of actors. Actors that have no name or were removed are missing. */
  findActorNames(actors: readonly NonNullable<Actor>[]): Promise<ReadonlyMap<Actor, string>>
  /** Deletes a batch of events past the retention window; false when there is nothing left to delete. */
  expireSome(projectId: ProjectId, before: number): Promise<boolean>
}
