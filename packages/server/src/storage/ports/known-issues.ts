import type { ProjectId } from '../../model/ids.ts'
import type { KnownIssueRecord } from '../../model/reports/known-issues.ts'

export interface KnownIssueStorage {
  /** The published issues whose titles match a text best, best first. */
  search(projectId: ProjectId, text: string, limit: number): Promise<readonly KnownIssueRecord[]>
}
