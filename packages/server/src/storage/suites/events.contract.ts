import { describe, expect, it } from 'vitest'
import { contentOf, NOW, reportFor, type StorageStage } from '../../../test-support/storage-stage.ts'
import type { IssueId } from '../../model/ids.ts'
import type { IssueChangeCommand } from '../../model/issues.ts'
import { type Lane, positionFor } from '../../model/lanes.ts'
import type { ProjectRecord } from '../../model/projects.ts'

type IssuePatch = IssueChangeCommand['patch']

const ALL: readonly Lane[] = ['open', 'security']

/** How the log is read, and who is notified. */
export function describeEvents(stage: StorageStage): void {
  const { addProject, addMany } = stage

  describe('events', () => {
    const reading =
      (project: ProjectRecord) =>
      async (after: number, limit: number, lanes: readonly Lane[] = ['open']) => {
        const selection = { projectId: project.id, lanes, types: null, after, limit }
        const part = await stage.storage.events.list(selection)
        return { ...part, events: part.events.map((event) => positionFor(lanes, event)) }
      }

    it('are read in order, and hidden ones take up no position', async () => {
      const project = await addProject('weather')
      for (const category of ['bug', 'security', 'security', 'bug', 'bug'] as const) {
        await stage.storage.issues.submit(reportFor(project, { content: contentOf(category) }))
      }
      const read = reading(project)
      expect(await read(0, 2)).toEqual({ events: [1, 2], lastExamined: 2, hasMore: true })
      expect(await read(2, 2)).toEqual({ events: [3], lastExamined: 3, hasMore: false })
      expect(await read(1, 1)).toEqual({ events: [2], lastExamined: 2, hasMore: true })
      expect(await read(3, 1)).toEqual({ events: [], lastExamined: 3, hasMore: false })
      expect(await read(0, 9, ALL)).toMatchObject({ events: [1, 2, 3, 4, 5], hasMore: false })
      expect(await stage.storage.events.window(project.id, ['open'])).toEqual({ start: 0, end: 3 })
      expect(await stage.storage.events.window(project.id, ALL)).toEqual({ start: 0, end: 5 })
    })

    it('enter the open lane at its end, and leave only a gap when they leave it', async () => {
      const project = await addProject('weather')
      const read = reading(project)
      const submit = async (category: 'bug' | 'security') => {
        const report = reportFor(project, { content: contentOf(category) })
        await stage.storage.issues.submit(report)
        return (patch: IssuePatch) =>
          stage.storage.issues.change({
            projectId: project.id,
            issueId: report.issueId,
            lanes: ALL,
            actor: null,
            at: NOW,
            patch,
            ifVersions: null,
          })
      }
      const changeHidden = await submit('security')
      const changeOpen = await submit('bug')
      await changeHidden({ status: 'acknowledged' })
      await submit('bug')
      expect(await read(0, 9)).toMatchObject({ events: [1, 2], lastExamined: 2 })
      // Two events, and the event about the lost ones.
      await changeHidden({ category: 'bug' })
      expect(await read(2, 9)).toEqual({ events: [3, 4, 5], lastExamined: 5, hasMore: false })
      expect(await read(0, 9, ALL)).toMatchObject({ events: [1, 2, 3, 4, 5] })
      await changeOpen({ category: 'security' })
      expect(await read(0, 9)).toMatchObject({ events: [2, 3, 4, 5], lastExamined: 5 })
      expect(await stage.storage.events.window(project.id, ['open'])).toEqual({ start: 0, end: 5 })
      await changeOpen({ category: 'ui_ux' })
      expect(await read(5, 9)).toEqual({ events: [6, 7, 8], lastExamined: 8, hasMore: false })
      await submit('bug')
      expect(await read(8, 9)).toEqual({ events: [9], lastExamined: 9, hasMore: false })
      expect(await read(0, 9, ALL)).toMatchObject({ events: [1, 2, 3, 4, 5, 6, 7, 8] })
    })

    it('are counted the same way when they are written together', async () => {
      const project = await addProject('weather')
      const read = reading(project)
      const reports = Array.from({ length: 60 }, (_, index) =>
        reportFor(project, { content: contentOf(index % 3 === 0 ? 'security' : 'bug') }),
      )
      const [first] = reports
      await Promise.all(reports.map((report) => stage.storage.issues.submit(report)))
      const command = { projectId: project.id, lanes: ALL, actor: null, at: NOW, ifVersions: null }
      const change = (issueId: IssueId | undefined, patch: IssuePatch) =>
        issueId && stage.storage.issues.change({ ...command, issueId, patch })
      await Promise.all([
        stage.storage.issues.submit(reportFor(project)),
        change(first?.issueId, { note: 'hidden' }),
        change(first?.issueId, { category: 'bug' }),
        change(first?.issueId, { category: 'security' }),
        change(first?.issueId, { category: 'crash', note: 'shown' }),
        stage.storage.issues.submit(reportFor(project)),
      ])
      const all = await read(0, 99)
      const { end } = await stage.storage.events.window(project.id, ['open'])
      expect(all.lastExamined).toBe(end)
      expect(new Set(all.events).size).toBe(all.events.length)
      expect(all.events).toEqual(all.events.toSorted((a, b) => a - b))
      const { events } = await stage.storage.events.list({
        projectId: project.id,
        lanes: ['open'],
        types: null,
        after: 0,
        limit: 99,
      })
      const own = events.filter(({ issueId }) => issueId === first?.issueId)
      expect(own.map(({ type }) => type)).toEqual(['issue.created', ...Array(4).fill('issue.updated')])
      expect(own.map(({ position }) => position)).toEqual(
        own.map(({ position }) => position).toSorted((a, b) => a - b),
      )
    })

    it('are deleted in both orders, and reports only outside the guaranteed window', async () => {
      const project = await addProject('weather')
      const content = { ...contentOf('security'), fingerprint: 'old' }
      const report = reportFor(project, { content, lanes: ALL })
      await stage.storage.issues.submit(report)
      await stage.storage.issues.submit(reportFor(project, { content, lanes: ALL }))
      await stage.storage.issues.submit(reportFor(project))
      const later = NOW + 1_000
      await stage.storage.issues.submit(reportFor(project, { receivedAt: later }))
      await stage.storage.issues.change({
        projectId: project.id,
        issueId: report.issueId,
        lanes: ALL,
        actor: null,
        at: later,
        patch: { category: 'bug' },
        ifVersions: null,
      })
      while (await stage.storage.events.expireSome(project.id, later));
      expect(await stage.storage.events.window(project.id, ALL)).toEqual({ start: 3, end: 5 })
      // In the open lane the old events come after a new one.
      expect(await stage.storage.events.window(project.id, ['open'])).toEqual({ start: 1, end: 5 })
      expect(await reading(project)(1, 9)).toMatchObject({ events: [2, 3, 4, 5] })
      while (await stage.storage.events.expireSome(project.id, later + 1));
      expect(await stage.storage.events.window(project.id, ['open'])).toEqual({ start: 5, end: 5 })
      const history = { projectId: project.id, lanes: ALL, types: null, after: 0, limit: 9 }
      const kept = (await stage.storage.events.list(history)).events.map(({ type }) => type)
      expect(kept).not.toContain('issue.reported')
      expect(kept).toHaveLength(4)
    })

    it('of some types are found among many others', async () => {
      const project = await addProject('weather')
      const report = reportFor(project)
      await stage.storage.issues.submit(report)
      await addMany(project, 20)
      const command = {
        projectId: project.id,
        issueId: report.issueId,
        lanes: ['open'],
        actor: null,
        at: NOW,
      } as const
      await stage.storage.issues.change({ ...command, patch: { status: 'closed' }, ifVersions: null })
      const selection = { projectId: project.id, lanes: ['open'], types: ['issue.status_changed'] } as const
      const part = await stage.storage.events.list({ ...selection, after: 0, limit: 5 })
      expect(part).toMatchObject({
        events: [{ position: 22, issueId: report.issueId, issueNumber: 1 }],
        hasMore: false,
      })
    })

    it('are announced once they are committed', async () => {
      const project = await addProject('weather')
      const told: (string | null)[] = []
      const stop = stage.storage.events.subscribe((projectId) => told.push(projectId))
      await stage.storage.issues.submit(reportFor(project))
      await expect.poll(() => told.length).toBeGreaterThan(0)
      expect(told[0] === project.id || told[0] === null).toBe(true)
      stop()
    })
  })
}
