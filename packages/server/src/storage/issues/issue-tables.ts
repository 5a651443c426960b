import type { BulkRecord } from '../../model/bulk-changes.ts'
import type { StoredExceptions } from '../../model/crashes/report-exceptions.ts'
import { ownReportCount } from '../../model/decisions/duplicates.ts'
import type { Actor, NewEvent } from '../../model/events.ts'
import type { IssueId, ProjectId, ReportId } from '../../model/ids.ts'
import type { StoredIssue } from '../../model/issues.ts'
import type { Lane } from '../../model/lanes.ts'
import type { NewAttachment } from '../../model/reports/attachments.ts'
import type { ReportText } from '../../model/reports/report-texts.ts'
import type { IssueReporter, Reporter } from '../../model/reports/reporters.ts'
import type { Receipt, ReportValues } from '../../model/reports/reports.ts'
import type { ReportSource, SourceReports } from '../../model/seen-values.ts'
import type { ReportChange } from './reports/report-changes.ts'
import type { SeenChanges } from './seen/seen-changes.ts'

/** A project's sequence number in the database, and the last numbers it has assigned. */
export interface ProjectCounters {
  readonly id: ProjectId
  readonly seq: number
  lastIssueNumber: number
  lastEventPosition: number
  /** Counts the events of the open lane. */
  lastOpenPosition: number
}

/**
 * The tables as one transaction sees and changes them. SQLite reads and writes immediately; PostgreSQL reads
 * in advance what may be needed, and writes everything together at the end. The steps that use the tables are
 * the same.
 */
export interface IssueTables {
  /** The project, unless it is missing or being deleted. Numbers taken from it are gapless: they are lost only with the transaction. */
  findProject(id: ProjectId): ProjectCounters | undefined
  findIssue(project: ProjectCounters, id: IssueId): StoredIssue | undefined
  /** The same without long fields, for a bulk change: they are `null`. */
  findShortIssue(project: ProjectCounters, id: IssueId): StoredIssue | undefined
  /** Whether an issue or a report already has this id. This may be skipped for batches: then the insert fails, and each call is repeated alone. */
  isIdTaken(project: ProjectCounters, id: IssueId): boolean
  /** `code`: of the lane, and whether it is spam. */
  findByFingerprint(project: ProjectCounters, code: number, fingerprint: string): StoredIssue | undefined
  /** The number of issues of the project that are published. */
  countKnown(project: ProjectCounters): number
  /** The duplicates of an issue, without long fields. Their number is bounded. */
  duplicatesOf(project: ProjectCounters, issue: StoredIssue): readonly StoredIssue[]
  findSubmission(project: ProjectCounters, id: string): Submission | undefined
  /**
   * Whether a report came from this version that readers of the lane can see. Issues are counted by version up to a number of
   * versions, so one that only new issues came from may be missed: then its first regression is unconfirmed.
   */
  isVersionKnown(project: ProjectCounters, lane: Lane, appVersion: string): boolean
  /** The origins of an issue's further reports, by day. */
  sources(project: ProjectCounters, issue: StoredIssue): readonly SourceReports[]

  /** The number of the issue's text with this hash. Until the issue is edited, its own text is not among them. */
  findText(project: ProjectCounters, issue: StoredIssue, hash: string): number | undefined
  /** The highest number of a text; 1 if the issue has only its own text. */
  lastTextNumber(project: ProjectCounters, issue: StoredIssue): number
  /** A person among the issue's reporters. */
  findReporter(project: ProjectCounters, issue: StoredIssue, reporter: string): IssueReporter | undefined
  /** A report after the first. */
  findReport(project: ProjectCounters, issue: StoredIssue, reportNumber: number): StoredReport | undefined
  /** The latest reports after the first, newest first: at most {@link LATEST_REPORTS}. */
  latestReports(project: ProjectCounters, issue: StoredIssue): readonly StoredReport[]
  findStoredText(project: ProjectCounters, issue: StoredIssue, number: number): StoredText | undefined
  /** The first other report that has this text. Not for the first text. */
  findTextUse(project: ProjectCounters, issue: StoredIssue, report: StoredReport): number | undefined

  insertIssue(project: ProjectCounters, issue: StoredIssue, createdPosition: number): void
  updateIssue(project: ProjectCounters, issue: StoredIssue): void
  /** The same, if only fields have changed that further reports change: less is written. */
  updateCounts(project: ProjectCounters, issue: StoredIssue): void
  /** The same, if only fields have changed that bulk changes set. */
  updateTriage(project: ProjectCounters, issue: StoredIssue): void
  /** The same, if only fields have changed that the mark of spam changes. Sources and reporters follow it. */
  updateSpam(project: ProjectCounters, issue: StoredIssue): void
  /** Updates the full-text index after a change of the text or the lane. */
  reindexIssue(project: ProjectCounters, issue: StoredIssue): void
  /**
   * Removes an issue and its entry in the full-text index, with its reports, its submission ids and its history. If it {@link hasManyRows},
   * these are left to be removed in steps.
   */
  removeIssue(project: ProjectCounters, issue: StoredIssue): void
  /** Removes several issues as if each {@link hasManyRows}. */
  removeIssues(project: ProjectCounters, issues: readonly StoredIssue[]): void
  findBulkChange(project: ProjectCounters, id: string): BulkRecord | undefined
  /** Also removes some earlier ones that are no longer needed. */
  insertBulkChange(project: ProjectCounters, change: NewBulkChange): void
  /** Makes the issue found by the labels it has now, in the lane it is in now. */
  replaceLabels(project: ProjectCounters, issue: StoredIssue): void
  /** Stores a person among the issue's reporters or, if none of the reports are theirs any more, removes them. */
  writeReporter(project: ProjectCounters, issue: StoredIssue, reporter: IssueReporter): void
  /** Stores a further report, and counts it by its origin. */
  insertReport(project: ProjectCounters, issue: StoredIssue, report: NewReportRow): void
  /** Stores a text that the issue does not have yet. If its words are searched, the issue is then found by them. */
  insertText(project: ProjectCounters, issue: StoredIssue, text: NewText): void
  removeText(project: ProjectCounters, issue: StoredIssue, number: number): void
  /** Stores the exception of a text. */
  insertException(
    project: ProjectCounters,
    issue: StoredIssue,
    textNumber: number,
    exception: StoredExceptions,
  ): void
  removeException(project: ProjectCounters, issue: StoredIssue, textNumber: number): void
  /** Removes the words of a text; the entry stays as a placeholder. */
  redactText(project: ProjectCounters, issue: StoredIssue, number: number): void
  /** Deletes or redacts a report. */
  changeReport(project: ProjectCounters, issue: StoredIssue, changes: readonly ReportChange[]): void
  /** Subtracts one report from a source. */
  removeFromSource(project: ProjectCounters, issue: StoredIssue, source: DailySource): void
  /** The files that the last report of the issue declares. */
  insertAttachments(project: ProjectCounters, issue: StoredIssue, attachments: readonly NewAttachment[]): void
  /** Makes the sources of an issue be folded before the commit if there are too many. */
  checkSources(project: ProjectCounters, issue: StoredIssue): void
  /** Returns false, and stores nothing, if a submission already has this id. */
  insertSubmission(project: ProjectCounters, issue: StoredIssue, submission: NewSubmission): boolean
  insertEvent(project: ProjectCounters, issue: StoredIssue, event: PlacedEvent): void
  /**
   * Moves the events of an issue, the sources of its reports and its reporters to its current lane. Events that enter the open lane
   * get its next positions. If it {@link hasManyRows}, only its history moves: the events of its further reports
   * and of their files stay where they are, and are hidden with it.
   */
  moveToLane(project: ProjectCounters, issue: StoredIssue): void
  count(counter: CounterKey, by: number): void
  /** What reports and fixes add to versions, builds and branches. */
  readonly seen: SeenChanges
}

export interface NewBulkChange extends BulkRecord {
  readonly id: string
  readonly at: number
}

/** An earlier submission, and its response. */
export interface Submission {
  readonly contentHash: string
  readonly receipt: Receipt
}

export interface NewSubmission {
  readonly id: string
  readonly contentHash: string
}

export interface NewReportRow extends ReportValues {
  readonly receivedAt: number
  /** When it arrived. */
  readonly day: string
  readonly isRegression: boolean
  readonly id: ReportId
  readonly reportNumber: number
  readonly submissionId: string | null
  readonly sender: string | null
  /** Which of the issue's texts it has. */
  readonly textNumber: number
}

/** How many reports are examined to find the release that an issue was last seen in. */
export const LATEST_REPORTS = 100

/** The data of a report that deleting or redacting it needs. */
export interface StoredReport extends ReportSource {
  readonly reportNumber: number
  readonly receivedAt: number
  readonly submissionId: string | null
  readonly textNumber: number | null
  readonly reporter: Reporter | null
}

/** Where reports of one day came from. */
export type DailySource = Pick<SourceReports, 'day' | keyof ReportSource>

export interface StoredText {
  readonly reportNumber: number
  readonly words: number
}

export interface NewText extends Omit<ReportText, 'title'> {
  /** `null`: the text is redacted. */
  readonly title: string | null
  readonly number: number
  /** The first report that has it. */
  readonly reportNumber: number
  /** In hexadecimal. */
  readonly hash: string
  /** How many of its words are searched. */
  readonly words: number
}

/** When something is done, and by whom. */
export interface Stamp {
  readonly at: number
  readonly actor: Actor
}

export interface PlacedEvent extends EventPlace {
  readonly event: NewEvent
  readonly by: Stamp
}

/** The positions of an event in the whole log, and in the open lane. */
export interface EventPlace {
  readonly position: number
  /** `null`: the same, or the event is not in the open lane. */
  readonly openPosition: number | null
}

/** The most reports, changes, comments and files of an issue whose rows are removed, or moved to another lane, together with it. */
const MAX_ROWS_AT_ONCE = 50

/** The rows of an issue that it does not count itself, each up to {@link MAX_COUNTED_ROWS}. */
export interface OtherRows {
  /** The files that its reports declare. */
  readonly files: number
  /** The entries of its history after the first, among them those of its comments. */
  readonly history: number
}

/** Whether an issue has so many rows that one transaction should not write all of them. */
export function hasManyRows(issue: StoredIssue, { files, history }: OtherRows): boolean {
  return ownReportCount(issue) + 1 + files + history > MAX_ROWS_AT_ONCE
}

export const MAX_COUNTED_ROWS = MAX_ROWS_AT_ONCE

/** The maximum number of sources that are counted for an issue, besides `other` on each day; checked once every so many reports. */
export const MAX_SOURCES = 1_000

/** Whether to check the number of an issue's sources: untrusted reports can each name another version. */
export function mayHaveManySources(issue: StoredIssue): boolean {
  return ownReportCount(issue) % MAX_SOURCES === 0
}

/** Takes the next position in a project's log. */
export function takePlace(project: ProjectCounters, lane: Lane): EventPlace {
  const position = ++project.lastEventPosition
  if (lane !== 'open') return { position, openPosition: null }
  const openPosition = ++project.lastOpenPosition
  return { position, openPosition: openPosition === position ? null : openPosition }
}

export interface CounterKey {
  readonly projectSeq: number
  readonly lane: number
  readonly dimension: string
  readonly value: string
}
