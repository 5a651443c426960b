import type { Actor, NewEvent } from '../../model/events.ts'
import type { IssueId, ProjectId } from '../../model/ids.ts'
import type { StoredIssue } from '../../model/issues.ts'
import type { Lane } from '../../model/lanes.ts'
import type { Receipt, ReportRecord } from '../../model/reports.ts'

/** A project's place in the database and the last numbers it handed out. */
export interface ProjectCounters {
  readonly id: ProjectId
  readonly seq: number
  lastIssueNumber: number
  lastEventPosition: number
  /** Counts the events of the open lane. */
  lastOpenPosition: number
}

/**
 * The tables as one transaction sees and changes them. SQLite does each thing at once; PostgreSQL has read before what
 * may be asked for, and writes everything together at the end. The steps that use them are the same.
 */
export interface IssueTables {
  /** The project, unless it is missing or being deleted. Numbers taken from it are gapless: they are lost only with the transaction. */
  findProject(id: ProjectId): ProjectCounters | undefined
  findIssue(project: ProjectCounters, id: IssueId): StoredIssue | undefined
  /** Whether an issue has this id already. It may go unnoticed while calls run together: then the insert fails, and each is repeated by itself. */
  isIdTaken(project: ProjectCounters, id: IssueId): boolean
  findByFingerprint(project: ProjectCounters, lane: Lane, fingerprint: string): StoredIssue | undefined
  findSubmission(project: ProjectCounters, id: string): Submission | undefined
  /**
   * Whether a report came from this version that readers of the lane can see. Issues are counted by version up to a number of
   * versions, so one that only new issues came from may be missed: then its first regression is unconfirmed.
   */
  isVersionKnown(project: ProjectCounters, lane: Lane, appVersion: string): boolean
  /** The days of an issue's further reports. */
  reportDays(project: ProjectCounters, issue: StoredIssue): readonly ReportDay[]

  insertIssue(project: ProjectCounters, issue: StoredIssue, createdPosition: number): void
  updateIssue(project: ProjectCounters, issue: StoredIssue): void
  /** Puts what changed into the full-text index: the text, or the lane. */
  reindexIssue(project: ProjectCounters, issue: StoredIssue): void
  /**
   * Removes an issue and its entry in the full-text index, with its reports, its submission ids and its history. If it {@link hasManyRows},
   * these are left to be removed in steps.
   */
  removeIssue(project: ProjectCounters, issue: StoredIssue): void
  insertReport(project: ProjectCounters, issue: StoredIssue, report: NewReportRow): void
  addReportDay(project: ProjectCounters, issue: StoredIssue, day: string): void
  /** Answers false, and stores nothing, if a submission has this id already. */
  insertSubmission(project: ProjectCounters, issue: StoredIssue, submission: NewSubmission): boolean
  insertEvent(project: ProjectCounters, issue: StoredIssue, event: PlacedEvent): void
  /**
   * Takes the events of an issue into the lane that it is in now. Those that enter the open lane get its next positions. If it
   * {@link hasManyRows}, only its history moves: the events of its further reports stay where they are, and are hidden with it.
   */
  moveEvents(project: ProjectCounters, issue: StoredIssue): void
  count(counter: CounterKey, by: number): void
}

/** A submission that came before, and what it was answered with. */
export interface Submission {
  readonly contentHash: string
  readonly receipt: Receipt
}

export interface NewSubmission {
  readonly id: string
  readonly contentHash: string
}

export interface NewReportRow extends ReportRecord {
  readonly submissionId: string | null
}

export interface ReportDay {
  readonly day: string
  readonly count: number
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

/** Where an event is in the log of all lanes, and in that of the open one. */
export interface EventPlace {
  readonly position: number
  /** `null`: the same, or the event is not in the open lane. */
  readonly openPosition: number | null
}

/** The most reports and changes of an issue whose rows are removed, or moved to another lane, together with it. */
const MAX_ROWS_AT_ONCE = 50

/** Whether an issue has so many rows that one transaction should not write all of them. */
export function hasManyRows({ reportCount, version }: StoredIssue): boolean {
  return reportCount + version > MAX_ROWS_AT_ONCE
}

/** Takes the next place in a project's log. */
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
