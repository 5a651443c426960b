import { describe, expect, it } from 'vitest'
import { contentOf, NOW, reportFor, type StorageStage } from '../../test-support/storage-stage.ts'
import type { Lane } from './records/lanes.ts'

/** How the log is read, and who is told of it. */
export function describeEvents(stage: StorageStage): void {
  const { addProject, addMany } = stage

  describe('events', () => {
    it('are read in order, and what is hidden uses up nothing', async () => {
      const project = await addProject('weather')
      for (const category of ['bug', 'security', 'security', 'bug', 'bug'] as const) {
        await stage.storage.issues.submit(reportFor(project, { content: contentOf(category) }))
      }
      const read = async (after: number, limit: number, lanes: readonly Lane[] = ['open']) => {
        const part = await stage.storage.events.list({
          projectId: project.id,
          lanes,
          types: null,
          after,
          limit,
        })
        return { ...part, events: part.events.map(({ position }) => position) }
      }
      expect(await read(0, 2)).toEqual({ events: [1, 4], lastExamined: 4, hasMore: true })
      expect(await read(4, 2)).toEqual({ events: [5], lastExamined: 5, hasMore: false })
      expect(await read(1, 1)).toEqual({ events: [4], lastExamined: 4, hasMore: true })
      expect(await read(5, 1)).toEqual({ events: [], lastExamined: 5, hasMore: false })
      expect(await read(0, 9, ['open', 'security'])).toMatchObject({
        events: [1, 2, 3, 4, 5],
        hasMore: false,
      })
      expect(await stage.storage.events.window(project.id)).toEqual({ start: 0, end: 5 })
    })

    it('of some types are found among many others', async () => {
      const project = await addProject('weather')
      const report = reportFor(project)
      await stage.storage.issues.submit(report)
      await addMany(project, 20)
      const order = {
        projectId: project.id,
        issueId: report.issueId,
        lanes: ['open'],
        actor: null,
        at: NOW,
      } as const
      await stage.storage.issues.change({ ...order, patch: { status: 'closed' }, ifVersions: null })
      const selection = { projectId: project.id, lanes: ['open'], types: ['issue.status_changed'] } as const
      const part = await stage.storage.events.list({ ...selection, after: 0, limit: 5 })
      expect(part).toMatchObject({
        events: [{ position: 22, issueId: report.issueId, issueNumber: 1 }],
        hasMore: false,
      })
    })

    it('are told of once they are committed', async () => {
      const project = await addProject('weather')
      const told: (string | null)[] = []
      const stop = stage.storage.events.subscribe((projectId) => told.push(projectId))
      await stage.storage.issues.submit(reportFor(project))
      await expect.poll(() => told.length, { timeout: 3_000 }).toBeGreaterThan(0)
      expect(told[0] === project.id || told[0] === null).toBe(true)
      stop()
    })
  })
}
