import type { IssueStatus } from '@bugle/contract/vocabulary'
import { describe, expect, it } from 'vitest'
import { contentOf, NOW, reportFor, type StorageStage } from '../../../test-support/storage-stage.ts'
import { type IssueId, mintId, projectNumberOf } from '../../model/ids.ts'
import { everyIssue, type ListStart } from '../../model/issue-lists.ts'
import type { Lane } from '../../model/lanes.ts'

/** How issues are found and listed. */
export function describeIssues(stage: StorageStage): void {
  const { addProject, addMany } = stage

  describe('retrieval', () => {
    it('finds an issue only in its own project', async () => {
      const [a, b] = [await addProject('a'), await addProject('b')]
      const report = reportFor(a)
      await stage.storage.issues.submit(report)
      expect((await stage.storage.issues.find(a.id, report.issueId))?.issueNumber).toBe(1)
      expect(await stage.storage.issues.find(b.id, report.issueId)).toBeUndefined()
      const stranger: IssueId = mintId('iss', NOW, projectNumberOf(a.id))
      expect(await stage.storage.issues.find(a.id, stranger)).toBeUndefined()
    })

    it('finds an issue by its number only in its own project', async () => {
      const [a, b] = [await addProject('a'), await addProject('b')]
      const report = reportFor(a)
      await stage.storage.issues.submit(report)
      expect((await stage.storage.issues.findByNumber(a.id, 1))?.id).toBe(report.issueId)
      expect(await stage.storage.issues.findByNumber(a.id, 2)).toBeUndefined()
      expect(await stage.storage.issues.findByNumber(a.id, 2 ** 31 - 1)).toBeUndefined()
      expect(await stage.storage.issues.findByNumber(b.id, 1)).toBeUndefined()
    })
  })

  describe('lists', () => {
    it('are newest first, by offset or after a position', async () => {
      const project = await addProject('weather')
      await addMany(project, 30)
      const list = async (start: ListStart, limit: number) => {
        const listing = {
          selection: everyIssue(project.id, ['open']),
          sort: 'newest',
          start,
          limit,
        } as const
        const { issues, next } = await stage.storage.issues.list(listing)
        return [issues.map(({ issueNumber }) => issueNumber), next?.number ?? null]
      }
      expect(await list({ offset: 0 }, 3)).toEqual([[30, 29, 28], 28])
      expect(await list({ offset: 28 }, 3)).toEqual([[2, 1], null])
      expect(await list({ after: { key: 28, number: 28 } }, 3)).toEqual([[27, 26, 25], 25])
      expect(await list({ after: { key: 3, number: 3 } }, 2)).toEqual([[2, 1], null])
      expect(await list({ after: { key: 1, number: 1 } }, 3)).toEqual([[], null])
    })

    it('show and count only the requested lanes and statuses', async () => {
      const project = await addProject('weather')
      const other = await addProject('other')
      await addMany(project, 4)
      await addMany(other, 2)
      await stage.storage.issues.submit(reportFor(project, { content: contentOf('security') }))
      const select = (lanes: readonly Lane[], statuses: readonly IssueStatus[] | null) => ({
        ...everyIssue(project.id, lanes),
        statuses,
      })
      const count = (...args: Parameters<typeof select>) => stage.storage.issues.count(select(...args))
      const categories = async (...args: Parameters<typeof select>) => {
        const listing = {
          selection: select(...args),
          sort: 'newest',
          start: { offset: 0 },
          limit: 9,
        } as const
        return (await stage.storage.issues.list(listing)).issues.map(({ category }) => category)
      }
      expect(await count(['open'], null)).toBe(4)
      expect(await count(['security'], null)).toBe(1)
      expect(await count(['open', 'security'], ['open'])).toBe(5)
      expect(await count(['open', 'security'], ['closed'])).toBe(0)
      expect(await categories(['open'], ['open', 'closed'])).toEqual(['bug', 'bug', 'bug', 'bug'])
      expect(await categories(['open', 'security'], null)).toHaveLength(5)
      expect(await categories(['open'], ['closed'])).toEqual([])
    })
  })
}
