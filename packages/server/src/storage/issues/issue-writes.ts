import { contributionsOf } from '../../model/decisions/count-issue.ts'
import { ownReportCount } from '../../model/decisions/duplicates.ts'
import type { NewEvent } from '../../model/events.ts'
import type { StoredIssue } from '../../model/issues.ts'
import { laneOf } from '../../model/lanes.ts'
import {
  type SeenContribution,
  type SourceReports,
  seenInIssue,
  seenInReports,
} from '../../model/seen-values.ts'
import { EDITED } from './issue-fields.ts'
import {
  type IssueTables,
  mayHaveManySources,
  type NewReportRow,
  type ProjectCounters,
  type Stamp,
  takePlace,
} from './issue-tables.ts'
import { codeOf } from './lane-codes.ts'

/** The building blocks of operations on issues. Each keeps issues, events, counters and the search index consistent. */
export function insertIssue(
  tables: IssueTables,
  project: ProjectCounters,
  issue: StoredIssue,
  by: Stamp,
): void {
  const position = addEvent(tables, project, issue, CREATED, by)
  tables.insertIssue(project, issue, position)
  countIssue(tables, project, issue, 1)
  const { createdAt } = issue
  const added = {
    reports: 1,
    newIssues: 1,
    fixedIssues: 0,
    regressions: 0,
    firstAt: createdAt,
    lastAt: createdAt,
  }
  tables.seen.addSource(project.seq, codeOf(issue), issue, added)
}

/** Replaces the stored issue with its new state. */
export function updateIssue(
  tables: IssueTables,
  project: ProjectCounters,
  before: StoredIssue,
  after: StoredIssue,
): void {
  countIssue(tables, project, before, -1)
  countIssue(tables, project, after, 1)
  const hasSwitchedLane = laneOf(before.category) !== laneOf(after.category)
  if (hasSwitchedLane || before.fixedIn !== after.fixedIn) {
    removeSeen(tables, project, before, seenInIssue(before))
    addSeen(tables, project, after, seenInIssue(after))
  }
  if (hasSwitchedLane) {
    moveReports(tables, project, before, after)
    tables.moveToLane(project, after)
  }
  tables.updateIssue(project, after)
  const hasLabels = before.labels.length > 0 || after.labels.length > 0
  if (hasLabels && (hasSwitchedLane || before.labels !== after.labels)) tables.replaceLabels(project, after)
  const hasNewText = before.title !== after.title || before.description !== after.description
  if (hasNewText || hasSwitchedLane) tables.reindexIssue(project, after)
}

/** The reports of an issue count where the issue does. */
function moveReports(
  tables: IssueTables,
  project: ProjectCounters,
  before: StoredIssue,
  after: StoredIssue,
): void {
  const sources = tables.sources(project, before)
  countReportDays(tables, project, before, sources, -1)
  countReportDays(tables, project, after, sources, 1)
  const seen = sources.flatMap(seenInReports)
  removeSeen(tables, project, before, seen)
  addSeen(tables, project, after, seen)
}

/** Replaces an issue that was marked as spam, or no longer is. It may be without its long fields. Its events stay in their lane. */
export function updateSpam(
  tables: IssueTables,
  project: ProjectCounters,
  before: StoredIssue,
  after: StoredIssue,
): void {
  countIssue(tables, project, before, -1)
  countIssue(tables, project, after, 1)
  removeSeen(tables, project, before, seenInIssue(before))
  addSeen(tables, project, after, seenInIssue(after))
  moveReports(tables, project, before, after)
  tables.updateSpam(project, after)
  // It is no longer a duplicate, or has lost its duplicates.
  if (before.duplicateOf !== after.duplicateOf) tables.updateTriage(project, after)
  if (before.duplicateCount !== after.duplicateCount) tables.updateCounts(project, after)
  if (after.labels.length > 0) tables.replaceLabels(project, after)
}

/** Replaces the fields that a bulk change sets. The issues are without their long fields. */
export function updateTriage(
  tables: IssueTables,
  project: ProjectCounters,
  before: StoredIssue,
  after: StoredIssue,
): void {
  countIssue(tables, project, before, -1)
  countIssue(tables, project, after, 1)
  tables.updateTriage(project, after)
  if (before.labels !== after.labels) tables.replaceLabels(project, after)
}

/** Replaces the stored issue with its state after a further report. */
export function updateReported(
  tables: IssueTables,
  project: ProjectCounters,
  before: StoredIssue,
  after: StoredIssue,
): void {
  if (!EDITED.isSame(before, after)) {
    updateIssue(tables, project, before, after)
    return
  }
  const lane = codeOf(after)
  const reports = ownReportCount(after) - ownReportCount(before)
  tables.count({ projectSeq: project.seq, lane, dimension: 'reports', value: '' }, reports)
  tables.updateCounts(project, after)
}

export function removeIssue(tables: IssueTables, project: ProjectCounters, issue: StoredIssue): void {
  forgetIssue(tables, project, issue)
  tables.removeIssue(project, issue)
}

/** Makes several issues invisible. Most of their rows are removed later, because there may be very many. */
export function removeIssues(
  tables: IssueTables,
  project: ProjectCounters,
  issues: readonly StoredIssue[],
): void {
  for (const issue of issues) forgetIssue(tables, project, issue)
  tables.removeIssues(project, issues)
}

/** Removes what an issue has added to counters, versions and labels. */
function forgetIssue(tables: IssueTables, project: ProjectCounters, issue: StoredIssue): void {
  countIssue(tables, project, issue, -1)
  const sources = tables.sources(project, issue)
  countReportDays(tables, project, issue, sources, -1)
  removeSeen(tables, project, issue, [...seenInIssue(issue), ...sources.flatMap(seenInReports)])
  // At once, even if other rows of the issue are left for later: lists count on finding what has a label.
  if (issue.labels.length > 0) tables.replaceLabels(project, { ...issue, labels: [] })
}

/** Adds an issue's contributions to the counters or, with −1, subtracts them. */
function countIssue(tables: IssueTables, project: ProjectCounters, issue: StoredIssue, sign: 1 | -1): void {
  const lane = codeOf(issue)
  for (const { dimension, value, count } of contributionsOf(issue)) {
    tables.count({ projectSeq: project.seq, lane, dimension, value }, sign * count)
  }
}

/** The days of an issue's further reports are counted when they arrive; they move only with the issue's lane. */
function countReportDays(
  tables: IssueTables,
  project: ProjectCounters,
  issue: StoredIssue,
  sources: readonly SourceReports[],
  sign: 1 | -1,
): void {
  const lane = codeOf(issue)
  for (const { day, count } of sources) {
    tables.count({ projectSeq: project.seq, lane, dimension: 'reports_day', value: day }, sign * count)
  }
}

/** Stores a further report, and counts it by its day and its origin. */
export function insertReport(
  tables: IssueTables,
  project: ProjectCounters,
  issue: StoredIssue,
  report: NewReportRow,
): void {
  tables.insertReport(project, issue, report)
  if (mayHaveManySources(issue)) tables.checkSources(project, issue)
  const { day, receivedAt, isRegression } = report
  const lane = codeOf(issue)
  tables.count({ projectSeq: project.seq, lane, dimension: 'reports_day', value: day }, 1)
  const added = {
    reports: 1,
    newIssues: 0,
    fixedIssues: 0,
    regressions: Number(isRegression),
    firstAt: receivedAt,
    lastAt: receivedAt,
  }
  tables.seen.addSource(project.seq, lane, report, added)
}

function addSeen(
  tables: IssueTables,
  { seq }: ProjectCounters,
  issue: StoredIssue,
  contributions: readonly SeenContribution[],
): void {
  for (const contribution of contributions) tables.seen.add(seq, codeOf(issue), contribution)
}

export function removeSeen(
  tables: IssueTables,
  { seq }: ProjectCounters,
  issue: StoredIssue,
  contributions: readonly SeenContribution[],
): void {
  for (const contribution of contributions) tables.seen.remove(seq, codeOf(issue), contribution)
}

export function addEvent(
  tables: IssueTables,
  project: ProjectCounters,
  issue: StoredIssue,
  event: NewEvent,
  by: Stamp,
): number {
  const place = takePlace(project, laneOf(issue.category))
  tables.insertEvent(project, issue, { ...place, event, by })
  return place.position
}

const CREATED: NewEvent = { type: 'issue.created', changes: [], note: null, reason: null }
