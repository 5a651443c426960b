import type { ProjectId } from '../../model/ids.ts'
import type { KnownIssueRecord } from '../../model/reports/known-issues.ts'

export interface KnownIssueStorage {
  /** The published issues with a number below `before`, newest first. */
  list(projectId: ProjectId, before: number, limit: number): Promise<readonly KnownIssueRecord[]>
  /** Those of the issues with these numbers that are published. */
  find(projectId: ProjectId, issueNumbers: readonly number[]): Promise<readonly KnownIssueRecord[]>
  /** The published issues whose titles match a text best, best first. */
  search(projectId: ProjectId, text: string, limit: number): Promise<readonly KnownIssueRecord[]>
}
