import { PRIORITIES } from '@bugle/contract/vocabulary'
import type { StoredIssue } from '../../../model/issues.ts'
import { FIXED } from '../../issues/issue-fields.ts'
import type { ProjectCounters } from '../../issues/issue-tables.ts'
import { codeOf, SPAM_CODE } from '../../issues/lane-codes.ts'
import { prepared, type Query } from '../driver/connection.ts'
import { uuidOf } from '../driver/uuids.ts'
import { toTsvector } from '../issues/search-index.ts'
import { SCHEMA_VERSION } from '../migrations/migrate.ts'
import type { Changes } from './changes.ts'
import { type AddedCount, addCountsText } from './counters.ts'
import { LOCK_WAIT_MS, type ProjectHead } from './project-heads.ts'
import { addSeenInIssuesText } from './seen-values.ts'

/**
 * Stores new issues with all their rows, if the project still has the state in `head`, no submission is
 * already stored, and this release can use the schema; returns a row if so. Values that are the same for every new issue are not sent, and values
 * of several tables are sent once: parsing JSON is a large part of what a report costs PostgreSQL.
 */
export function storeNewIssues(
  head: ProjectHead,
  project: ProjectCounters,
  { inserted, events, submissions, reporters, counts }: NewIssues,
): Query {
  const eventAt = new Map(events.map((event) => [event.position, event]))
  const hashes = new Map(submissions.map(([, { id, contentHash }]) => [id, contentHash]))
  const reporterOf = new Map(reporters.map(([{ issueNumber }, reporter]) => [issueNumber, reporter]))
  const rows = inserted.map(([issue, position]) => ({
    ...toNewIssueRow(project.seq, issue),
    created_position: position,
    open_position: eventAt.get(position)?.open_position ?? undefined,
    actor: eventAt.get(position)?.actor,
    content_hash: toBytea(hashes.get(issue.submissionId ?? '')),
    found_by: reporterOf.get(issue.issueNumber)?.reporter,
    found_by_email: reporterOf.get(issue.issueNumber)?.email ?? undefined,
  }))
  const store = reporters.length > 0 ? STORE_WITH_REPORTERS : STORE
  return store(
    head.generation,
    project.seq,
    project.lastIssueNumber,
    project.lastEventPosition,
    head.lastIssueNumber,
    head.lastEventPosition,
    [...hashes.keys()],
    // As bytes: a string this long that is kept until the database responds would be promoted to the old generation of the garbage collector.
    Buffer.from(JSON.stringify(rows)),
    JSON.stringify(counts),
    project.lastOpenPosition,
  )
}

interface NewIssues extends Pick<Changes, 'inserted' | 'events' | 'submissions' | 'reporters'> {
  readonly counts: readonly AddedCount[]
}

/** The values in which new issues differ, with their PostgreSQL types. */
const GIVEN = {
  number: 'integer',
  id: 'uuid',
  created_position: 'bigint',
  lane: 'smallint',
  category: 'text',
  priority: 'smallint',
  title: 'text',
  description: 'text',
  on_default_branch: 'smallint',
  spam_at: 'bigint',
  reporter_count: 'integer',
  ...Object.fromEntries(FIXED.definitions.map((definition) => definition.split(' '))),
} as const

const COLUMNS = Object.keys(GIVEN).join(', ')

// `set_config` applies to this statement only: it waits for the project no longer than any other commit.
const STORE = prepared('store_new_issues', storeText(''))
const STORE_WITH_REPORTERS = prepared(
  'store_new_issues_with_reporters',
  storeText(`, new_reporters AS (
     INSERT INTO issue_reporters (project, issue_number, reporter, lane, email, reports)
     SELECT project, number, found_by, lane, found_by_email, 1 FROM given WHERE found_by IS NOT NULL
   )`),
)

function storeText(others: string): string {
  return `WITH head AS (
     UPDATE project_heads SET commits = commits + 1, last_issue_number = $3, last_event_position = $4, last_open_position = $10
     WHERE project = $2 AND generation = $1 AND last_issue_number = $5 AND last_event_position = $6
       AND set_config('lock_timeout', '${LOCK_WAIT_MS}', true) IS NOT NULL
       AND EXISTS (SELECT 1 FROM schema_version s, catalog c WHERE s.version >= ${SCHEMA_VERSION} AND c.oldest_schema <= ${SCHEMA_VERSION})
       AND NOT EXISTS (SELECT 1 FROM submissions WHERE project = $2 AND id = ANY ($7))
     RETURNING project, generation
   ), given AS MATERIALIZED (
     SELECT * FROM head CROSS JOIN LATERAL json_to_recordset($8) AS g (
       ${Object.entries(GIVEN).map((column) => column.join(' '))},
       open_position bigint, tokens tsvector, actor text, content_hash bytea, found_by text, found_by_email text)
   ), new_issues AS (
     INSERT INTO issues (project, ${COLUMNS}, status, report_count, last_reported_at, updated_at, version)
     SELECT project, ${COLUMNS}, 'open', 1, created_at, created_at, 1 FROM given
   ), new_search AS (
     INSERT INTO search (project, number, is_spam, tokens)
     SELECT project, number, CASE WHEN spam_at IS NOT NULL THEN TRUE END, tokens FROM given
   ), new_events AS (
     INSERT INTO events (project, position, open_position, type, at, actor, issue_number, lane)
     SELECT project, created_position, open_position, 'issue.created', created_at, actor, number, lane % ${SPAM_CODE} FROM given
   ), new_submissions AS (
     INSERT INTO submissions (project, id, content_hash, issue_number, status, report_count)
     SELECT project, submission_id, content_hash, number, 'open', 1 FROM given WHERE submission_id IS NOT NULL
   ), new_counts AS (
     ${addCountsText('head', '$9')}
   ), new_seen AS (
     ${addSeenInIssuesText('given')}
   )${others}
   SELECT project FROM head`
}

function toNewIssueRow(projectSeq: number, issue: StoredIssue): object {
  return {
    number: issue.issueNumber,
    id: uuidOf(issue.id),
    lane: codeOf(issue),
    spam_at: issue.spamAt ?? undefined,
    category: issue.category,
    priority: PRIORITIES.indexOf(issue.priority),
    title: issue.title,
    description: issue.description,
    // Absent, not null: most reports name no one, and every value has to be parsed.
    reporter_count: issue.reporterCount || undefined,
    on_default_branch: issue.onDefaultBranch === null ? null : Number(issue.onDefaultBranch),
    ...FIXED.rowOf(issue),
    tokens: toTsvector(projectSeq, issue.issueNumber, issue),
  }
}

/** Hexadecimal digits as a PostgreSQL `bytea` literal. */
function toBytea(digits: string | undefined): string | undefined {
  return digits && `\\x${digits}`
}
