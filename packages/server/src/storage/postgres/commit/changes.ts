import type { EventType } from '@bugle/contract/vocabulary'
import type { StoredIssue } from '../../../model/issues.ts'
import type { Lane } from '../../../model/lanes.ts'
import type { NewAttachment } from '../../../model/reports/attachments.ts'
import type { IssueReporter } from '../../../model/reports/reporters.ts'
import type { SearchedText } from '../../../model/search/tokens.ts'
import type { Counts } from '../../issues/counts/counters.ts'
import type { NewBulkChange, NewReportRow, NewSubmission, NewText } from '../../issues/issue-tables.ts'
import type { SeenChanges } from '../../issues/seen/seen-changes.ts'
import type { ReportStatementName } from './report-statements.ts'

/** What a batch writes at the end. */
export interface Changes {
  /** Each issue, with the position of its first event. */
  readonly inserted: readonly (readonly [issue: StoredIssue, createdPosition: number])[]
  readonly updated: readonly StoredIssue[]
  /** Issues of which only fields have changed that bulk changes set. */
  readonly triaged: readonly StoredIssue[]
  /** Issues that were marked as spam, or no longer are. */
  readonly marked: readonly StoredIssue[]
  /** Issues whose sources and reporters follow them, because they are stored with another code. */
  readonly recoded: readonly StoredIssue[]
  /** Issues of which only fields have changed that further reports change. */
  readonly counted: readonly StoredIssue[]
  /** Each issue, with the texts of its reports that are searched. */
  readonly reindexed: readonly (readonly [issue: StoredIssue, reportTexts: readonly SearchedText[]])[]
  /** Texts of reports that are added to the index, by issue. */
  readonly indexed: readonly (readonly [issue: StoredIssue, reportTexts: readonly SearchedText[]])[]
  /** The numbers of deleted issues. */
  readonly removed: readonly number[]
  /** The numbers of deleted issues whose remaining rows are removed later, in steps. */
  readonly removedFirst: readonly number[]
  readonly bulkChanges: readonly NewBulkChange[]
  /** Issues whose labels are written anew. */
  readonly labelled: readonly StoredIssue[]
  readonly events: readonly EventRow[]
  /** Changes to the earlier events of issues that have moved to another lane. */
  readonly moved: readonly MovedEvents[]
  readonly reports: readonly (readonly [issue: StoredIssue, report: NewReportRow])[]
  readonly texts: readonly (readonly [issueNumber: number, text: NewText])[]
  /** The texts that are dropped. */
  readonly removedTexts: readonly (readonly [issueNumber: number, number: number])[]
  readonly exceptions: readonly ExceptionRow[]
  /** The texts that lose their exception. */
  readonly removedExceptions: readonly (readonly [issueNumber: number, textNumber: number])[]
  /** What deleting or redacting a report changes, as statements. */
  readonly reportChanges: readonly ReportChange[]
  readonly attachments: readonly AttachmentRow[]
  readonly reporters: readonly ReporterChange[]
  readonly submissions: readonly (readonly [issue: StoredIssue, submission: NewSubmission])[]
  readonly counts: Counts
  readonly seen: SeenChanges
  /** Issues that may have too many sources. */
  readonly checkedSources: readonly number[]
}

/** A call that deletes or redacts a report is committed alone, so its changes are few. */
export type ReportChange = readonly [name: ReportStatementName, ...values: readonly unknown[]]

export type ReporterChange = readonly [issue: StoredIssue, reporter: IssueReporter]

/** The events of an issue up to a position that have left the open lane, or were assigned the next positions in it. */
export interface MovedEvents {
  readonly issueNumber: number
  readonly lane: Lane
  /** Whether only the history is moved, and the events of reports after the first keep their positions. */
  readonly isHistory: boolean
  readonly upTo: number
  /** The last position in the open lane before the moved events. */
  readonly afterOpen: number
}

export interface EventRow {
  readonly position: number
  /** Here and below, NULL is absent: what is not sent need not be parsed. */
  open_position: number | undefined
  readonly type: EventType
  readonly at: number
  readonly actor: string | undefined
  readonly issue_number: number | undefined
  readonly details: string | undefined
  lane: number
}

export interface ExceptionRow {
  readonly issue_number: number
  /** Of the text. */
  readonly number: number
  readonly exception: string
}

export interface AttachmentRow {
  readonly issue_number: number
  readonly number: number
  readonly attachment: NewAttachment
}
