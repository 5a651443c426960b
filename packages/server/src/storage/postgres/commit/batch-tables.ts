import type { IssueId } from '../../../model/ids.ts'
import type { StoredIssue } from '../../../model/issues.ts'
import { type Lane, laneOf } from '../../../model/lanes.ts'
import { type Counts, createCounts } from '../../issues/counters.ts'
import { detailsOf } from '../../issues/event-rows.ts'
import {
  hasManyRows,
  type IssueTables,
  type NewReportRow,
  type NewSubmission,
  type ProjectCounters,
  type Submission,
} from '../../issues/issue-tables.ts'
import { LANE_CODES } from '../../issues/lane-codes.ts'
import { versionCounters } from '../../issues/version-counters.ts'
import type { LoadedRows } from './load-rows.ts'

/** The tables of one project as a batch has made them, in memory, and what is to be written in the end. */
export interface BatchTables extends IssueTables {
  readonly changes: Changes
}

export interface Changes {
  /** With the position of the event that says so. */
  readonly inserted: readonly (readonly [issue: StoredIssue, createdPosition: number])[]
  readonly updated: readonly StoredIssue[]
  readonly reindexed: readonly StoredIssue[]
  /** The numbers of issues that are gone. */
  readonly removed: readonly number[]
  /** Those of which rows are left to be removed in steps. */
  readonly removedFirst: readonly number[]
  readonly events: readonly EventRow[]
  /** What has become of the earlier events of issues that have changed their lane. */
  readonly moved: readonly MovedEvents[]
  readonly reports: readonly (readonly [issueNumber: number, report: NewReportRow])[]
  readonly reportDays: readonly ReportDayRow[]
  readonly submissions: readonly (readonly [issue: StoredIssue, submission: NewSubmission])[]
  readonly counts: Counts
}

/** The events of an issue up to a position, which have left the open lane or got the next positions in it. */
export interface MovedEvents {
  readonly issueNumber: number
  readonly lane: Lane
  /** Whether the events of its further reports stay where they are. */
  readonly isHistory: boolean
  readonly upTo: number
  /** In the open lane, the last position before theirs. */
  readonly afterOpen: number
}

export interface EventRow {
  readonly position: number
  open_position: number | null
  readonly type: string
  readonly at: number
  readonly actor: string | null
  readonly issue_number: number | null
  readonly details: string | null
  lane: number
}

interface ReportDayRow {
  readonly issue_number: number
  readonly day: string
  count: number
}

export function createBatchTables(project: ProjectCounters | undefined, loaded: LoadedRows): BatchTables {
  const issues = new Map<number, StoredIssue>()
  const numbersById = new Map<IssueId, number>()
  const numbersByFingerprint = new Map<string, number>()
  const submissions = new Map(loaded.submissions)
  const inserted = new Map<number, number>()
  const updated = new Set<number>()
  const reindexed = new Set<number>()
  const moved = new Map<number, MovedEvents>()
  const removed = new Set<number>()
  const removedFirst = new Set<number>()
  const reportDays = new Map<string, ReportDayRow>()
  const counts = createCounts()
  let events: EventRow[] = []
  let reports: (readonly [issueNumber: number, report: NewReportRow])[] = []
  let newSubmissions: (readonly [issue: StoredIssue, submission: NewSubmission])[] = []
  for (const issue of loaded.issues) keep(issue)

  function keep(issue: StoredIssue): void {
    issues.set(issue.issueNumber, issue)
    numbersById.set(issue.id, issue.issueNumber)
    if (issue.fingerprint === null) return
    numbersByFingerprint.set(fingerprintKey(laneOf(issue.category), issue.fingerprint), issue.issueNumber)
  }

  function forget(number: number): void {
    const issue = issues.get(number)
    if (issue === undefined) return
    issues.delete(number)
    numbersById.delete(issue.id)
    if (issue.fingerprint === null) return
    numbersByFingerprint.delete(fingerprintKey(laneOf(issue.category), issue.fingerprint))
  }

  function isInSight(issueNumber: number, lane: Lane): boolean {
    const issue = issues.get(issueNumber)
    return issue !== undefined && LANE_CODES[laneOf(issue.category)] <= LANE_CODES[lane]
  }

  function existing(numbers: Iterable<number>): StoredIssue[] {
    return Array.from(numbers).flatMap((number) => issues.get(number) ?? [])
  }

  return {
    findProject: () => project,
    findIssue: (_, id) => issues.get(numbersById.get(id) ?? 0),
    isIdTaken: (_, id) => numbersById.has(id),
    findByFingerprint: (_, lane, fingerprint) =>
      issues.get(numbersByFingerprint.get(fingerprintKey(lane, fingerprint)) ?? 0),
    findSubmission: (_, id) => submissions.get(id),
    isVersionKnown(project, lane, appVersion) {
      const stored = loaded.versions.get(appVersion)
      const isStored = lane === 'open' ? stored?.isInOpenLane : stored?.isInAnyLane
      return (
        isStored === true ||
        versionCounters(project, lane, appVersion).some((key) => counts.get(key) > 0) ||
        reports.some(([number, report]) => report.appVersion === appVersion && isInSight(number, lane))
      )
    },
    reportDays: (_, { issueNumber }) => [
      ...(loaded.reportDays.get(issueNumber) ?? []),
      ...reportDays.values().filter((row) => row.issue_number === issueNumber),
    ],

    insertIssue(_, issue, createdPosition) {
      keep(issue)
      inserted.set(issue.issueNumber, createdPosition)
      reindexed.add(issue.issueNumber)
    },
    updateIssue(_, issue) {
      forget(issue.issueNumber)
      keep(issue)
      if (!inserted.has(issue.issueNumber)) updated.add(issue.issueNumber)
    },
    reindexIssue: (_, { issueNumber }) => void reindexed.add(issueNumber),
    removeIssue(_, issue) {
      const { issueNumber } = issue
      forget(issueNumber)
      if (!inserted.delete(issueNumber)) (hasManyRows(issue) ? removedFirst : removed).add(issueNumber)
      events = events.filter((row) => row.issue_number !== issueNumber)
      reports = reports.filter(([number]) => number !== issueNumber)
      for (const [key, row] of reportDays) if (row.issue_number === issueNumber) reportDays.delete(key)
      newSubmissions = newSubmissions.filter(([issue]) => issue.issueNumber !== issueNumber)
      for (const [id, { receipt }] of submissions) {
        if (receipt.issueNumber === issueNumber) submissions.delete(id)
      }
    },
    insertReport: (_, { issueNumber }, report) => void reports.push([issueNumber, report]),
    addReportDay(_, { issueNumber }, day) {
      const key = `${issueNumber} ${day}`
      const known = reportDays.get(key)
      if (known === undefined) reportDays.set(key, { issue_number: issueNumber, day, count: 1 })
      else known.count++
    },
    insertSubmission(_, issue, submission) {
      if (submissions.has(submission.id)) return false
      newSubmissions.push([issue, submission])
      submissions.set(submission.id, toSubmission(issue, submission))
      return true
    },
    insertEvent(_, issue, { position, openPosition, event, by }) {
      const { type } = event
      events.push({
        position,
        open_position: openPosition,
        type,
        at: by.at,
        actor: by.actor,
        issue_number: issue.issueNumber,
        lane: LANE_CODES[laneOf(issue.category)],
        details: detailsOf(event, type === 'issue.deleted' ? issue.id : undefined),
      })
    },
    moveEvents(counters, issue) {
      const { issueNumber } = issue
      const lane = laneOf(issue.category)
      const isHistory = hasManyRows(issue)
      const { lastEventPosition: upTo, lastOpenPosition: afterOpen } = counters
      const own = events.filter(
        (row) => row.issue_number === issueNumber && !(isHistory && row.type === 'issue.reported'),
      )
      for (const row of own) row.lane = LANE_CODES[lane]
      moved.set(issueNumber, { issueNumber, lane, isHistory, upTo, afterOpen })
      if (lane !== 'open') return
      // The first event is not among those that were counted, unless this batch has written it.
      const counted = loaded.eventCounts.get(issueNumber)?.[isHistory ? 'history' : 'all'] ?? 0
      const stored = inserted.has(issueNumber) ? 0 : 1 + counted
      own.forEach((row, index) => {
        row.open_position = afterOpen + stored + index + 1
      })
      counters.lastOpenPosition += stored + own.length
    },
    count: counts.add,

    get changes() {
      return {
        inserted: Array.from(
          inserted,
          ([number, position]) => [issues.get(number), position] as const,
        ).filter((entry): entry is readonly [StoredIssue, number] => entry[0] !== undefined),
        updated: existing(updated),
        reindexed: existing(reindexed),
        removed: [...removed],
        removedFirst: [...removedFirst],
        events,
        moved: [...moved.values()].filter(({ issueNumber }) => issues.has(issueNumber)),
        reports,
        reportDays: [...reportDays.values()],
        submissions: newSubmissions,
        counts,
      }
    },
  }
}

function fingerprintKey(lane: Lane, fingerprint: string): string {
  return `${lane} ${fingerprint}`
}

function toSubmission(issue: StoredIssue, { contentHash }: NewSubmission): Submission {
  const { id: issueId, issueNumber, status, createdAt, lastReportedAt, reportCount } = issue
  // The submission is written with its report, which is then the last one.
  const receipt = { issueId, issueNumber, status, createdAt, receivedAt: lastReportedAt, reportCount }
  return { contentHash, receipt }
}
