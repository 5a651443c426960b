import type { CommentRecord } from '../../model/comments/comments.ts'
import type { ProjectId } from '../../model/ids.ts'
import type {
  MyReportListing,
  MyReportPlace,
  NewMessage,
  ReadMark,
  ReporterKey,
  ReporterNews,
  SendMessageOutcome,
} from '../../model/reports/my-reports.ts'
import type { ReportCommand } from '../../model/reports/reports.ts'

/** What reporters see of their own reports. A blocked reporter is one without reports. */
export interface MyReportStorage {
  /** The newest reports of a reporter, newest first. */
  list(reporter: ReporterKey, limit: number): Promise<MyReportListing>
  /** What has happened in a project after a position that may concern reporters. */
  readNews(projectId: ProjectId, after: number): Promise<ReporterNews>
  /** The newest replies and messages about a report, newest first; `undefined` if the reporter has no such report. */
  listMessages(place: MyReportPlace, limit: number): Promise<readonly CommentRecord[] | undefined>
  /** Stores a message exactly once per id. */
  sendMessage(message: NewMessage): Promise<SendMessageOutcome>
  /** Whether the marks are still the same. */
  areSameMarks(marks: readonly ReadMark[]): Promise<boolean>
  /** Marks a reply and all earlier ones as read; false if the reporter has no such report. */
  markRead(place: MyReportPlace, commentId: string): Promise<boolean>
  /** Before a report is deleted or redacted: erases its messages, and its reporter no longer sees it. */
  forgetReporter(command: ReportCommand): Promise<void>
}
