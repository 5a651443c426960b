import { PRIORITIES } from '@bugle/contract/vocabulary'
import type { StoredIssue } from '../../../model/issues.ts'
import { laneOf } from '../../../model/lanes.ts'
import { FIXED } from '../../issues/issue-fields.ts'
import type { ProjectCounters } from '../../issues/issue-tables.ts'
import { LANE_CODES } from '../../issues/lane-codes.ts'
import { prepared, type Query } from '../driver/connection.ts'
import { uuidOf } from '../driver/uuids.ts'
import { toTsvector } from '../issues/search-index.ts'
import type { Changes } from './batch-tables.ts'
import { type AddedCount, addCountsText } from './counters.ts'

/**
 * Stores issues that nothing has happened to yet, with all that belongs to them, if the project is as `head` says and no
 * submission is stored already; answers with a row if so. What is the same for every new issue does not travel, and
 * what several tables have travels once: reading JSON is a good part of what a report costs PostgreSQL.
 */
export function storeNewIssues(
  head: ProjectCounters,
  project: ProjectCounters,
  { inserted, events, submissions, counts }: NewIssues,
): Query {
  const eventAt = new Map(events.map((event) => [event.position, event]))
  const hashes = new Map(submissions.map(([, { id, contentHash }]) => [id, contentHash]))
  const rows = inserted.map(([issue, position]) => ({
    ...toNewIssueRow(project.seq, issue),
    created_position: position,
    open_position: eventAt.get(position)?.open_position ?? undefined,
    actor: eventAt.get(position)?.actor,
    content_hash: toBytea(hashes.get(issue.submissionId ?? '')),
  }))
  return STORE(
    uuidOf(project.id),
    project.seq,
    project.lastIssueNumber,
    project.lastEventPosition,
    head.lastIssueNumber,
    head.lastEventPosition,
    [...hashes.keys()],
    // As bytes: a string this long, kept until the database answers, would be moved among what the collector takes for lasting.
    Buffer.from(JSON.stringify(rows)),
    JSON.stringify(counts),
    project.lastOpenPosition,
  )
}

interface NewIssues extends Pick<Changes, 'inserted' | 'events' | 'submissions'> {
  readonly counts: readonly AddedCount[]
}

/** What distinguishes new issues, with the types in which PostgreSQL reads it. */
const GIVEN = {
  number: 'integer',
  id: 'uuid',
  created_position: 'bigint',
  lane: 'smallint',
  category: 'text',
  priority: 'smallint',
  title: 'text',
  description: 'text',
  ...Object.fromEntries(FIXED.columns.map((column) => [column, column.endsWith('_at') ? 'bigint' : 'text'])),
} as const

const COLUMNS = Object.keys(GIVEN).join(', ')

const STORE = prepared(
  'store_new_issues',
  `WITH head AS (
     UPDATE projects SET last_issue_number = $3, last_event_position = $4, last_open_position = $10
     WHERE id = $1 AND seq = $2 AND slug IS NOT NULL AND last_issue_number = $5 AND last_event_position = $6
       AND NOT EXISTS (SELECT 1 FROM submissions WHERE project = $2 AND id = ANY ($7))
     RETURNING seq AS project
   ), given AS MATERIALIZED (
     SELECT * FROM head CROSS JOIN LATERAL json_to_recordset($8) AS g (
       ${Object.entries(GIVEN).map((column) => column.join(' '))},
       open_position bigint, tokens tsvector, actor text, content_hash bytea)
   ), new_issues AS (
     INSERT INTO issues (project, ${COLUMNS}, status, report_count, last_reported_at, updated_at, version)
     SELECT project, ${COLUMNS}, 'open', 1, created_at, created_at, 1 FROM given
   ), new_search AS (
     INSERT INTO search (project, number, tokens) SELECT project, number, tokens FROM given
   ), new_events AS (
     INSERT INTO events (project, position, open_position, type, at, actor, issue_number, lane)
     SELECT project, created_position, open_position, 'issue.created', created_at, actor, number, lane FROM given
   ), new_submissions AS (
     INSERT INTO submissions (project, id, content_hash, issue_number, status, report_count)
     SELECT project, submission_id, content_hash, number, 'open', 1 FROM given WHERE submission_id IS NOT NULL
   ), new_counts AS (
     ${addCountsText('head', '$9')}
   )
   SELECT project FROM head`,
)

function toNewIssueRow(projectSeq: number, issue: StoredIssue): object {
  return {
    number: issue.issueNumber,
    id: uuidOf(issue.id),
    lane: LANE_CODES[laneOf(issue.category)],
    category: issue.category,
    priority: PRIORITIES.indexOf(issue.priority),
    title: issue.title,
    description: issue.description,
    ...FIXED.rowOf(issue),
    tokens: toTsvector(projectSeq, issue.issueNumber, issue),
  }
}

/** Hexadecimal digits as the bytes that PostgreSQL reads in them. */
function toBytea(digits: string | undefined): string | undefined {
  return digits && `\\x${digits}`
}
