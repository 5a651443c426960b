import { contributionsOf } from '../../model/decisions/count-issue.ts'
import type { NewEvent } from '../../model/events.ts'
import type { StoredIssue } from '../../model/issues.ts'
import { laneOf } from '../../model/lanes.ts'
import { type IssueTables, type ProjectCounters, type Stamp, takePlace } from './issue-tables.ts'
import { LANE_CODES } from './lane-codes.ts'

/** The steps that operations on issues are made of. Each keeps issues, events, counters and the search index in agreement. */
export function insertIssue(
  tables: IssueTables,
  project: ProjectCounters,
  issue: StoredIssue,
  by: Stamp,
): void {
  const position = addEvent(tables, project, issue, CREATED, by)
  tables.insertIssue(project, issue, position)
  countIssue(tables, project, issue, 1)
}

/** Writes an issue over what it was before. */
export function updateIssue(
  tables: IssueTables,
  project: ProjectCounters,
  before: StoredIssue,
  after: StoredIssue,
): void {
  countIssue(tables, project, before, -1)
  countIssue(tables, project, after, 1)
  const hasSwitchedLane = laneOf(before.category) !== laneOf(after.category)
  if (hasSwitchedLane) {
    countReportDays(tables, project, before, -1)
    countReportDays(tables, project, after, 1)
    tables.moveEvents(project, after)
  }
  tables.updateIssue(project, after)
  const hasNewText = before.title !== after.title || before.description !== after.description
  if (hasNewText || hasSwitchedLane) tables.reindexIssue(project, after)
}

export function removeIssue(tables: IssueTables, project: ProjectCounters, issue: StoredIssue): void {
  countIssue(tables, project, issue, -1)
  countReportDays(tables, project, issue, -1)
  tables.removeIssue(project, issue)
}

/** Moves what an issue counts for into the counters, or with −1 out of them. */
function countIssue(tables: IssueTables, project: ProjectCounters, issue: StoredIssue, sign: 1 | -1): void {
  const lane = LANE_CODES[laneOf(issue.category)]
  for (const { dimension, value, count } of contributionsOf(issue)) {
    tables.count({ projectSeq: project.seq, lane, dimension, value }, sign * count)
  }
}

/** The days of an issue's further reports are counted when they arrive; they move only with the issue's lane. */
function countReportDays(
  tables: IssueTables,
  project: ProjectCounters,
  issue: StoredIssue,
  sign: 1 | -1,
): void {
  const lane = LANE_CODES[laneOf(issue.category)]
  for (const { day, count } of tables.reportDays(project, issue)) {
    tables.count({ projectSeq: project.seq, lane, dimension: 'reports_day', value: day }, sign * count)
  }
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
