import { expect } from 'vitest'
import type { IssueId } from '../src/model/ids.ts'
import { everyIssue } from '../src/model/issue-lists.ts'
import type { IssuePatch, StoredIssue } from '../src/model/issues.ts'
import type { ProjectRecord } from '../src/model/projects.ts'
import { type NewReport, normaliseSubmission, type ReportRecord } from '../src/model/reports/reports.ts'
import { parseSearch } from '../src/model/search/search-query.ts'
import { NOW, reportFor, type StorageStage } from './storage-stage.ts'

type SubmissionFields = Parameters<typeof normaliseSubmission>[0]

/** Submits, reads, changes and finds reports in a storage. */
export function storedReports(stage: StorageStage) {
  /** Submits a report that joins the others with the same fingerprint. */
  async function report(
    project: ProjectRecord,
    fields: SubmissionFields,
    more: Partial<NewReport> = {},
  ): Promise<NewReport> {
    const content = normaliseSubmission({ fingerprint: 'same', ...fields })
    const sent = reportFor(project, { content, ...more })
    await stage.storage.issues.submit(sent)
    return sent
  }

  async function issueOf(project: ProjectRecord, id: IssueId): Promise<StoredIssue> {
    const issue = await stage.storage.issues.find(project.id, id)
    if (issue === undefined) throw new Error('the issue is gone')
    return issue
  }

  async function reportsOf(
    project: ProjectRecord,
    id: IssueId,
    { isDistinct = false } = {},
  ): Promise<readonly ReportRecord[]> {
    const issue = await issueOf(project, id)
    return stage.storage.issues.listReports({ issue, before: 1_000_000, limit: 10_000, isDistinct })
  }

  async function change(project: ProjectRecord, issueId: IssueId, patch: IssuePatch): Promise<void> {
    const command = { projectId: project.id, issueId, lanes: ['open', 'security'] as const, ifVersions: null }
    const { kind } = await stage.storage.issues.change({ ...command, patch, actor: null, at: NOW + 1 })
    expect(kind).toBe('changed')
  }

  async function find(project: ProjectRecord, q: string): Promise<readonly number[]> {
    const selection = { ...everyIssue(project.id, ['open']), search: parseSearch(q) }
    const listing = { selection, sort: 'newest', start: { offset: 0 }, limit: 10 } as const
    const { issues } = await stage.storage.issues.list(listing)
    return issues.map(({ issueNumber }) => issueNumber)
  }

  return { report, issueOf, reportsOf, change, find }
}
