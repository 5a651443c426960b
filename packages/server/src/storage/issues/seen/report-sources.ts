import { OTHER_VALUE } from '@bugle/contract/vocabulary'
import { asOther, type SourceReports, seenInReports } from '../../../model/seen-values.ts'
import { forBoth, type Texts } from '../../dialects.ts'
import { all, type Operation, one, send } from '../../operations.ts'
import { MAX_SOURCES } from '../issue-tables.ts'
import { createSeenChanges } from './seen-changes.ts'
import { addToOther, KEPT_AS_RECENT, reduceSeen } from './seen-writes.ts'

export interface SourcesOfIssue {
  readonly project: number
  readonly issueNumber: number
}

const SOURCE_COLUMNS = 'day, app_version, build_number, branch'
/** What is counted as `other` on a day has a separate row, which is not folded again. */
const IS_NAMED = `(${['app_version', 'build_number', 'branch'].map((column) => `r.${column} NOT IN ('', '${OTHER_VALUE}')`).join(' OR ')})`
const COUNT_SOURCES = forBoth(
  ({ isKey }) =>
    `SELECT i.lane, (SELECT count(*) FROM report_sources r WHERE ${isKey('r.issue_number', '$1', '$2')} AND ${IS_NAMED}) AS count
     FROM issues i WHERE ${isKey('i.number', '$1', '$2')}`,
)
const LEAST_SOURCES = forBoth(
  ({ isKey }) =>
    `SELECT ${SOURCE_COLUMNS}, count, regressions, first_at, last_at FROM (
       SELECT r.*, row_number() OVER (ORDER BY last_at DESC, ${SOURCE_COLUMNS}) AS recency
       FROM report_sources r WHERE ${isKey('r.issue_number', '$1', '$2')} AND ${IS_NAMED}) ranked
     WHERE recency > ${KEPT_AS_RECENT} ORDER BY count, last_at, ${SOURCE_COLUMNS} LIMIT $3`,
)
const DELETE_SOURCES: Texts = {
  sqlite: deleteSources('issue_row = ($1 << 32) + $2', LEAST_SOURCES.sqlite),
  postgres: deleteSources('project = $1 AND issue_number = $2', LEAST_SOURCES.postgres),
}

function deleteSources(isOfIssue: string, least: string): string {
  return `DELETE FROM report_sources WHERE ${isOfIssue}
    AND (${SOURCE_COLUMNS}) IN (SELECT ${SOURCE_COLUMNS} FROM (${least}) least)`
}

export const ADDED_SOURCE = `count = report_sources.count + excluded.count,
  regressions = report_sources.regressions + excluded.regressions,
  first_at = CASE WHEN excluded.first_at < report_sources.first_at THEN excluded.first_at ELSE report_sources.first_at END,
  last_at = CASE WHEN excluded.last_at > report_sources.last_at THEN excluded.last_at ELSE report_sources.last_at END`

export const ADD_SOURCE: Texts = {
  sqlite: addSource('issue_row', '($1 << 32) + $2'),
  postgres: addSource('project, issue_number', '$1, $2'),
}

function addSource(key: string, values: string): string {
  return `INSERT INTO report_sources (${key}, ${SOURCE_COLUMNS}, lane, count, regressions, first_at, last_at)
    VALUES (${values}, $3, $4, $5, $6, $7, $8, $9, $10, $11) ON CONFLICT (${key}, ${SOURCE_COLUMNS}) DO UPDATE SET ${ADDED_SOURCE}`
}

/** Counts the rarest sources of an issue as `other`, in the issue and in the project, if it has too many. */
export function* foldSources({ project, issueNumber }: SourcesOfIssue): Operation<void> {
  const counted = yield* one<{ lane: number; count: number }>(COUNT_SOURCES, project, issueNumber)
  if (counted === undefined || counted.count <= MAX_SOURCES) return
  const { lane } = counted
  const excess = counted.count - MAX_SOURCES
  const rows = yield* all<SourceRow>(LEAST_SOURCES, project, issueNumber, excess)
  yield* send(DELETE_SOURCES, project, issueNumber, excess)
  const changes = createSeenChanges()
  for (const source of rows.map(toSource)) {
    for (const contribution of seenInReports(source)) changes.remove(project, lane, contribution)
    const other = { ...source, ...asOther(source) }
    const { day, appVersion, buildNumber, branch, count, regressions, firstAt, lastAt } = other
    const key = [day, appVersion ?? '', buildNumber ?? '', branch ?? '']
    yield* send(ADD_SOURCE, project, issueNumber, ...key, lane, count, regressions, firstAt, lastAt)
    for (const { dimension, reports } of seenInReports(other))
      yield* addToOther({ project, lane, dimension }, { reports, regressions })
  }
  yield* reduceSeen(project, [...changes])
}

export interface SourceRow {
  readonly day: string
  readonly app_version: string
  readonly build_number: string
  readonly branch: string
  readonly count: number
  readonly regressions: number
  readonly first_at: number
  readonly last_at: number
}

/** A key cannot be NULL, so a value that is absent in a report is stored as an empty string. */
export function toSource(row: SourceRow): SourceReports {
  return {
    day: row.day,
    appVersion: row.app_version || null,
    buildNumber: row.build_number || null,
    branch: row.branch || null,
    count: row.count,
    regressions: row.regressions,
    firstAt: row.first_at,
    lastAt: row.last_at,
  }
}
