import { ISSUE_SORTS, JOINT_SORTS } from '@bugle/contract/vocabulary'
import type { ProjectId } from '../../src/model/ids.ts'
import { everyIssue, type IssueSelection, type ListStart } from '../../src/model/issue-lists.ts'
import type { StoredIssue } from '../../src/model/issues.ts'
import type { ProjectRecord } from '../../src/model/projects.ts'
import { parseSearch } from '../../src/model/search/search-query.ts'
import type { Storage } from '../../src/storage/storage.ts'
import { BOTH_LANES } from './story-reports.ts'

/** Lists and counts issues with every kind of filter, in every command. */
export async function playLists(
  { issues }: Storage,
  { id }: ProjectRecord,
  issue: StoredIssue,
): Promise<void> {
  const number = Math.floor(issue.issueNumber / 2)
  const starts: readonly ListStart[] = [{ offset: 0 }, { after: { key: number, number } }]
  for (const [index, filters] of SELECTIONS.entries()) {
    const selection = { ...everyIssue(id, index % 2 === 0 ? ['open'] : BOTH_LANES), ...filters }
    for (const sort of ISSUE_SORTS) {
      for (const start of starts) await issues.list({ selection, sort, start, limit: 25 })
    }
    await issues.count(selection)
    await issues.countByStatus(selection)
  }
  await playJointLists(issues, id)
}

const SELECTIONS: readonly Partial<IssueSelection>[] = [
  {},
  { statuses: ['open'] },
  { statuses: ['wontfix', 'closed'] },
  { platforms: ['ios'] },
  { categories: ['crash'], statuses: ['resolved'] },
  { categories: ['security'] },
  { priorities: ['critical'] },
  { appVersions: ['9.9.9'] },
  { createdAfter: Date.UTC(2026, 0, 1, 12), branches: ['main'] },
  ...['app', 'needle', 'absent', 'word7*', 'sc*', '"settings screen"', 'app crash'].map((q) => ({
    search: parseSearch(q),
  })),
  { search: parseSearch('crash'), platforms: ['ios'] },
]

/** Lists of all projects, and of one of them. */
async function playJointLists(issues: Storage['issues'], id: ProjectId): Promise<void> {
  const { projectId: _, ...all } = everyIssue(id, BOTH_LANES)
  const after = { key: 3, projectNumber: 2 ** 20, number: 500 }
  for (const filters of [all, { ...all, statuses: ['open'] as const, priorities: ['low'] as const }])
    for (const sort of JOINT_SORTS)
      for (const projectIds of [null, [id]])
        for (const from of [null, after])
          await issues.listJointly({ filters, sort, projectIds, after: from, limit: 25 })
}
