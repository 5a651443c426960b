import type { AttachmentId, ProjectId } from '../../model/ids.ts'
import type {
  AttachmentListing,
  AttachmentRecord,
  DamageFinding,
  Declaration,
  DeclarationPlace,
  IssueAttachmentState,
  ReceiveCommand,
  ReceiveOutcome,
  ReportFilesListing,
} from '../../model/reports/attachments.ts'
import type { FileName } from '../files/file-store.ts'

/** A file as recorded in the database. */
export interface FilePlace {
  /** The sequence number of its project. */
  readonly project: number
  readonly name: FileName
  readonly size: number
  /** In hexadecimal. */
  readonly sha256: string
}

/** A file as recorded in the database, and whether a download has found it damaged. */
export interface ListedFile extends FilePlace {
  readonly projectId: ProjectId
  readonly isDamaged: boolean
}

/** An attachment, by its project's sequence number, its issue and its number within the issue. */
export interface AttachmentPlace {
  readonly project: number
  readonly issueNumber: number
  readonly number: number
}

export interface UsedFile {
  readonly name: FileName
  /** `null` if no report refers to it any more. */
  readonly usedBy: { readonly issueNumber: number; readonly attachmentName: string } | null
}

/** What reports declare, and which files belong to them. The bytes are in a `FileStore`. */
export interface AttachmentStorage {
  /** `undefined` if no such submission declared this digest. */
  findDeclaration(place: DeclarationPlace): Promise<Declaration | undefined>
  /** The size of all files of the project. */
  projectBytes(projectId: ProjectId): Promise<number>
  /** Makes received bytes visible, and records it in the log. */
  receive(command: ReceiveCommand): Promise<ReceiveOutcome>
  find(projectId: ProjectId, id: AttachmentId): Promise<AttachmentRecord | undefined>
  /** The names of those that still exist. */
  findNames(projectId: ProjectId, ids: readonly AttachmentId[]): Promise<ReadonlyMap<AttachmentId, string>>
  /** The attachments of an issue, those of the newest report first. */
  list(listing: AttachmentListing): Promise<readonly AttachmentRecord[]>
  /** The attachments of some reports of an issue, by report and in the order of their declarations. */
  listOfReports(listing: ReportFilesListing): Promise<readonly AttachmentRecord[]>
  /** The attachment state of an issue. Listed and retrieved issues already include it. */
  findState(projectId: ProjectId, issueNumber: number): Promise<IssueAttachmentState>
  /**
   * Removes a batch of files that no report refers to any more from the database; they are then listed by
   * {@link AttachmentStorage.listRemoved}. False when there is nothing left to examine.
   */
  releaseSome(limit?: number): Promise<boolean>
  /**
   * Examines a batch of received files, and releases those of reports that are neither among the first nor among the latest
   * of their issue. Returns where to continue; `null` at the end. `null` starts from the beginning.
   */
  releaseOmitted(after: AttachmentPlace | null, limit?: number): Promise<AttachmentPlace | null>
  /** Files that still have to be removed from the store, by name, starting after one; `null` to start from the beginning. */
  listRemoved(after: FileName | null, limit: number): Promise<readonly FileName[]>
  /** Called once they are removed. */
  forgetRemoved(names: readonly FileName[]): Promise<void>
  /** Which of these files belong to a project that this database has or had, but to no report. */
  findOrphans(names: readonly FileName[]): Promise<readonly FileName[]>
  /** Every file, by position, starting after one; `null` to start from the beginning. */
  listFiles(after: FilePlace | null, limit: number): Promise<readonly ListedFile[]>
  /** Records files whose bytes are lost as not received, so that they can be sent again; they are then listed by {@link AttachmentStorage.listRemoved}. */
  giveUp(files: readonly FilePlace[]): Promise<void>
  /** The file of a project with these bytes, and one of the attachments that it belongs to. */
  findFile(projectId: ProjectId, sha256: string): Promise<UsedFile | undefined>
  /** Records that a stored file is damaged, or whole again. False if that was known, or the file is no longer used. */
  noteDamage(finding: DamageFinding): Promise<boolean>
  /** The size of all files in bytes. */
  totalBytes(): Promise<number>
}
