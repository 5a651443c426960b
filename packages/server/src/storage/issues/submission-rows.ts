import type { IssueStatus } from '@bugle/contract/vocabulary'
import { readId } from '../operations.ts'
import type { Submission } from './issue-tables.ts'

/** An earlier submission, with its issue. */
export interface SubmissionRow {
  /** In hexadecimal. */
  readonly content_hash: string
  readonly status: IssueStatus
  readonly report_count: number
  readonly number: number
  readonly issue_id: unknown
  readonly created_at: number
  /** `null` for the report that became the issue. */
  readonly received_at: number | null
}

export function toSubmission(row: SubmissionRow): Submission {
  return {
    contentHash: row.content_hash,
    receipt: {
      issueId: readId('iss', row.issue_id),
      issueNumber: row.number,
      status: row.status,
      createdAt: row.created_at,
      receivedAt: row.received_at ?? row.created_at,
      reportCount: row.report_count,
    },
  }
}
