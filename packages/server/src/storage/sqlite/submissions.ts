import type { DatabaseSync } from 'node:sqlite'
import type { IssueStatus } from '@bugle/contract/vocabulary'
import { encodeId } from '../../ids.ts'
import type { Receipt, SubmitOutcome } from '../records.ts'
import type { Batch } from './batch.ts'
import { REPORT_COLUMNS, type ReportRow } from './issue-rows.ts'
import { numberOf, rowKey } from './row-keys.ts'

/** The submission of a report, as it runs in the writer. */
export function prepareSubmissionWrites(db: DatabaseSync, batch: Batch) {
  const selectSubmission = db.prepare(
    `SELECT s.content_hash, s.status, s.report_count, i.row, i.id, i.created_at
     FROM submissions s JOIN issues i ON i.row = s.issue_row WHERE s.project_seq = ? AND s.id = ?`,
  )
  const insertSubmission = db.prepare(
    'INSERT INTO submissions (project_seq, id, content_hash, issue_row, status, report_count) VALUES (?, ?, ?, ?, ?, ?)',
  )
  const selectId = db.prepare('SELECT 1 FROM issues WHERE id = ?')
  const insertIssue = db.prepare(
    `INSERT INTO issues (row, created_position, ${REPORT_COLUMNS.join(', ')})
     VALUES (?, ?, ${REPORT_COLUMNS.map(() => '?').join(', ')})`,
  )
  const insertEvent = db.prepare(
    'INSERT INTO events (row, type, at, actor, issue_row, lane) VALUES (?, ?, ?, ?, ?, ?)',
  )

  return {
    submitReport(...report: ReportRow): SubmitOutcome {
      const [projectId, actor, receivedAt, lane, submissionId, contentHash, columns] = report
      const project = batch.project(projectId)
      if (project === undefined) return { kind: 'no-project' }

      if (submissionId !== null && contentHash !== null) {
        const earlier = selectSubmission.get(project.seq, submissionId) as SubmissionRow | undefined
        if (earlier !== undefined) return replay(earlier, contentHash)
      }
      const id = columns[0] as Uint8Array
      if (selectId.get(id) !== undefined) return { kind: 'id-taken' }

      const issueNumber = ++project.lastIssueNumber
      const position = ++project.lastEventPosition
      const row = rowKey(project.seq, issueNumber)
      insertIssue.run(row, position, ...columns)
      insertEvent.run(rowKey(project.seq, position), 'issue.created', receivedAt, actor, row, lane)
      batch.count({ projectSeq: project.seq, lane, dimension: 'status', value: 'open' }, 1)
      if (submissionId !== null) insertSubmission.run(project.seq, submissionId, contentHash, row, 'open', 1)

      const receipt: Receipt = {
        issueId: encodeId('iss', id),
        issueNumber,
        status: 'open',
        createdAt: receivedAt,
        reportCount: 1,
      }
      return { kind: 'stored', receipt }
    },
  }
}

interface SubmissionRow {
  readonly content_hash: Uint8Array
  readonly status: IssueStatus
  readonly report_count: number
  readonly row: number
  readonly id: Uint8Array
  readonly created_at: number
}

function replay(earlier: SubmissionRow, contentHash: Uint8Array): SubmitOutcome {
  if (Buffer.compare(earlier.content_hash, contentHash) !== 0) return { kind: 'conflict' }
  return {
    kind: 'replayed',
    receipt: {
      issueId: encodeId('iss', earlier.id),
      issueNumber: numberOf(earlier.row),
      status: earlier.status,
      createdAt: earlier.created_at,
      reportCount: earlier.report_count,
    },
  }
}
