import type { DatabaseSync } from 'node:sqlite'
import { contributionsOf } from '../../domain/decisions/count-issue.ts'
import { type IssueId, idToBytes, type ProjectId } from '../../ids.ts'
import { type IssueRecord, type Lane, laneOf, type NewEvent } from '../records.ts'
import type { Batch, ProjectCounters } from './batch.ts'
import { prepareEventLog, type Stamp } from './event-log.ts'
import {
  CHANGEABLE_COLUMNS,
  changeableValues,
  FIXED_COLUMNS,
  fixedValues,
  type IssueRow,
  LANE_CODES,
  toIssue,
} from './issue-rows.ts'
import { keyRange, rowKey } from './row-keys.ts'
import { prepareSearchWrites } from './search-index.ts'
import { prepareCommand } from './statements.ts'

/** The steps that operations on issues are made of. Each keeps issues, events, counters and the search index in agreement. */
export type IssueWrites = ReturnType<typeof prepareIssueWrites>

export function prepareIssueWrites(db: DatabaseSync, batch: Batch) {
  const selectById = db.prepare('SELECT * FROM issues WHERE id = ?')
  const selectByFingerprint = db.prepare(
    'SELECT * FROM issues WHERE row >> 32 = ? AND lane = ? AND fingerprint = ? AND fingerprint IS NOT NULL',
  )
  const insertIssue = prepareCommand(
    db,
    `INSERT INTO issues (row, created_position, ${[...CHANGEABLE_COLUMNS, ...FIXED_COLUMNS].join(', ')})
     VALUES (?, ?, ${[...CHANGEABLE_COLUMNS, ...FIXED_COLUMNS].map(() => '?').join(', ')})`,
  )
  const updateIssue = prepareCommand(
    db,
    `UPDATE issues SET ${CHANGEABLE_COLUMNS.map((column) => `${column} = ?`).join(', ')} WHERE row = ?`,
  )
  const addToLog = prepareEventLog(db)
  const updateEventLanes = prepareCommand(
    db,
    "UPDATE events SET lane = ? WHERE issue_row = ? AND type <> 'issue.created'",
  )
  const updateFirstEventLane = prepareCommand(
    db,
    'UPDATE events SET lane = ?1 WHERE row = ((SELECT created_position FROM issues WHERE row = ?2) + (?2 >> 32 << 32))',
  )
  const selectReportDays = db.prepare('SELECT day, count FROM report_days WHERE issue_row = ?')
  const search = prepareSearchWrites(db)

  /** Moves what an issue counts for into the counters, or with −1 out of them. */
  function countIssue(project: ProjectCounters, issue: IssueRecord, sign: 1 | -1): void {
    const lane = LANE_CODES[laneOf(issue.category)]
    for (const { dimension, value, count } of contributionsOf(issue)) {
      batch.count({ projectSeq: project.seq, lane, dimension, value }, sign * count)
    }
  }

  /** The days of an issue's further reports are counted when they arrive; they move only with the issue's lane. */
  function countReportDays(project: ProjectCounters, issue: IssueRecord, sign: 1 | -1): void {
    const lane = LANE_CODES[laneOf(issue.category)]
    const days = selectReportDays.all(rowKey(project.seq, issue.issueNumber)) as unknown as ReportDayRow[]
    for (const { day, count } of days) {
      batch.count({ projectSeq: project.seq, lane, dimension: 'reports_day', value: day }, sign * count)
    }
  }

  function addEvent(project: ProjectCounters, issue: IssueRecord, event: NewEvent, by: Stamp): number {
    return addToLog(project, {
      event,
      lane: laneOf(issue.category),
      issueRow: rowKey(project.seq, issue.issueNumber),
      by,
      ...(event.type === 'issue.deleted' && { deletedId: issue.id }),
    })
  }

  return {
    countReportDays,
    countIssue,
    addEvent,

    findById(
      projectId: ProjectId,
      project: ProjectCounters,
      id: IssueId,
      lanes: readonly Lane[],
    ): IssueRecord | undefined {
      const row = selectById.get(idToBytes(id)) as IssueRow | undefined
      const { low, high } = keyRange(project.seq)
      if (row === undefined || row.row <= low || row.row >= high) return undefined
      const issue = toIssue(row, projectId)
      return lanes.includes(laneOf(issue.category)) ? issue : undefined
    },

    isIdTaken: (id: IssueId): boolean => selectById.get(idToBytes(id)) !== undefined,

    findByFingerprint(projectId: ProjectId, project: ProjectCounters, lane: Lane, fingerprint: string) {
      const row = selectByFingerprint.get(project.seq, LANE_CODES[lane], fingerprint) as IssueRow | undefined
      return row && toIssue(row, projectId)
    },

    insert(project: ProjectCounters, issue: IssueRecord, by: Stamp): void {
      const position = addEvent(project, issue, CREATED, by)
      const row = rowKey(project.seq, issue.issueNumber)
      insertIssue.run(row, position, ...changeableValues(issue), ...fixedValues(issue))
      countIssue(project, issue, 1)
    },

    /** Writes an issue over what it was before. */
    update(project: ProjectCounters, before: IssueRecord, after: IssueRecord): void {
      const row = rowKey(project.seq, before.issueNumber)
      countIssue(project, before, -1)
      countIssue(project, after, 1)
      const lane = laneOf(after.category)
      const hasSwitchedLane = laneOf(before.category) !== lane
      if (hasSwitchedLane) {
        countReportDays(project, before, -1)
        countReportDays(project, after, 1)
        updateEventLanes.run(LANE_CODES[lane], row)
        updateFirstEventLane.run(LANE_CODES[lane], row)
      }
      updateIssue.run(...changeableValues(after), row)
      const hasNewText = before.title !== after.title || before.description !== after.description
      const isIndexed = before.issueNumber <= project.indexedNumber
      if (isIndexed && (hasNewText || hasSwitchedLane)) search.replace(row, after)
    },

    unindex(project: ProjectCounters, issue: IssueRecord): void {
      if (issue.issueNumber <= project.indexedNumber) search.remove(rowKey(project.seq, issue.issueNumber))
    },
  }
}

interface ReportDayRow {
  readonly day: string
  readonly count: number
}

const CREATED: NewEvent = { type: 'issue.created', changes: [], note: null, reason: null }
