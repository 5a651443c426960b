import type { EventType } from '@bugle/contract/vocabulary'
import type { ProjectId } from '../../../model/ids.ts'
import type { ReporterChange, ReporterNews } from '../../../model/reports/my-reports.ts'
import { forBoth } from '../../dialects.ts'
import { isReportEvent } from '../../issues/event-rows.ts'
import { all, type Operation, one, storedId } from '../../operations.ts'

/** Events that are read at once. If there are more, reading what reporters see again costs less. */
const MAX_EVENTS = 100

const SELECT_POSITIONS = forBoth(
  ({ current }) =>
    `SELECT seq, last_event_position AS last, expired_position AS expired FROM ${current('projects')}
     WHERE id = $1 AND slug IS NOT NULL`,
)

/** An event has the time of its report, which several reports may share. */
const SELECT_NEWS = forBoth(
  ({ numberIn, isAfter, isSame, ofIssue, orderOf, listOf, byIndex }) =>
    `SELECT ${numberIn('e.position')} AS position, e.type, ${numberIn('e.issue_number')} AS issue_number,
       CASE e.type
         WHEN 'issue.created' THEN ${ofIssue('reporter_key_hash')}
         WHEN 'issue.reported' THEN (
           SELECT ${listOf('n.reporter_key_hash')} FROM (
             SELECT r.reporter_key_hash FROM reports r ${byIndex('reports_with_reporter_key')}
             WHERE ${isSame('r.issue_number', 'e.issue_number', '$1')} AND r.received_at BETWEEN e.at AND e.at
               AND r.reporter_key_hash IS NOT NULL
             ORDER BY ${orderOf('r.issue_number')}, r.received_at, r.reporter_key_hash) n)
       END AS reporters
     FROM events e WHERE ${isAfter('e.position', '$1', '$2')} ORDER BY ${orderOf('e.position')} LIMIT ${MAX_EVENTS + 1}`,
)

interface NewsRow {
  readonly position: number
  readonly type: EventType
  readonly issue_number: number | null
  /** The hash of a secret or, for `issue.reported`, a JSON list of hashes that may contain duplicates. */
  readonly reporters: string | null
}

export function* readReporterNews(projectId: ProjectId, after: number): Operation<ReporterNews> {
  const project = yield* one<{ seq: number; last: number; expired: number }>(
    SELECT_POSITIONS,
    storedId(projectId),
  )
  if (project === undefined) return { position: after, changes: null }
  const { seq, last } = project
  if (after < project.expired || last - after > MAX_EVENTS) return { position: last, changes: null }
  const rows = yield* all<NewsRow>(SELECT_NEWS, seq, after)
  // Reporters who are blocked no longer see any of their reports.
  const isTooMuch = rows.length > MAX_EVENTS || rows.some(({ type }) => type.startsWith('reporter.'))
  const position = rows.at(-1)?.position ?? after
  return { position, changes: isTooMuch ? null : rows.flatMap(toChanges) }
}

function toChanges({ position, type, issue_number: issueNumber, reporters }: NewsRow): ReporterChange[] {
  if (issueNumber === null) return []
  if (type === 'issue.created') {
    return reporters === null ? [] : [{ position, issueNumber, keyHashes: [reporters] }]
  }
  if (!isReportEvent({ type })) return [{ position, issueNumber, keyHashes: null }]
  const keyHashes = [...new Set(JSON.parse(reporters ?? '[]') as readonly string[])]
  return keyHashes.length === 0 ? [] : [{ position, issueNumber, keyHashes }]
}
