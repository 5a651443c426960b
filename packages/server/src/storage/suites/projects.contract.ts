import { describe, expect, it } from 'vitest'
import {
  contentOf,
  keyFields,
  NOW,
  projectOf,
  reportFor,
  type StorageStage,
  submission,
} from '../../../test-support/storage-stage.ts'
import { mintKey } from '../../domain/projects/keys.ts'
import { makeProject } from '../../domain/projects/projects.ts'
import { mintUnshardedId, projectNumberOf } from '../../model/ids.ts'
import { type ProjectRecord, placeOf } from '../../model/projects.ts'
import type { ReportContent } from '../../model/reports/reports.ts'

/** How projects and their SDK settings are stored. */
export function describeProjects(stage: StorageStage): void {
  const { addProject, numbersOf } = stage

  describe('projects', () => {
    it('are found by id, slug and number', async () => {
      const project = await addProject('weather')
      expect(await stage.storage.projects.find(project.id)).toEqual(project)
      expect(await stage.storage.projects.find('weather')).toEqual(project)
      expect(await stage.storage.projects.findByNumber(projectNumberOf(project.id))).toEqual(project)
      expect(await stage.storage.projects.find('absent')).toBeUndefined()
      expect(await stage.storage.projects.find(mintUnshardedId('prj', NOW))).toBeUndefined()
      expect(await stage.storage.projects.findByNumber(1)).toBeUndefined()
    })

    it('have unique slugs', async () => {
      const first = await addProject('taken')
      const second = await addProject('free')
      expect(await stage.storage.projects.create({ ...makeProject(first), slug: 'taken' })).toBe('slug-taken')
      expect(await stage.storage.projects.update(second.id, { slug: 'taken' })).toBe('slug-taken')
      expect(await stage.storage.projects.update(first.id, { slug: 'taken' })).toBe('updated')
      const slugs = (await stage.storage.projects.list(null, 10)).map(({ slug }) => slug)
      expect(slugs.sort()).toEqual(['free', 'taken'])
    })

    it('are listed by age, after a position whose project may be deleted', async () => {
      const { projects } = stage.storage
      const made = [3, 1, 2, 2, 4].map((age, index) =>
        makeProject({ ...projectOf(`p${index}`), createdAt: NOW + age }),
      )
      for (const project of made) await projects.create(project)
      const sorted = made.toSorted((one, other) => (one.id < other.id ? -1 : 1))
      expect(await projects.list(null, 10)).toEqual(sorted)
      for (const [index, project] of sorted.entries()) {
        while (!(await projects.delete(project.id)).isFinished);
        expect(await projects.list(placeOf(project), 2)).toEqual(sorted.slice(index + 1, index + 3))
      }
    })

    it('change only the given fields', async () => {
      const project = await addProject('weather')
      expect(await stage.storage.projects.update(project.id, { isPublic: true })).toBe('updated')
      expect(await stage.storage.projects.find('weather')).toEqual({ ...project, isPublic: true })
      const details = { description: 'Grüße "🌒"', websiteUrl: 'https://a.example/', repositoryUrl: null }
      expect(await stage.storage.projects.update(project.id, details)).toBe('updated')
      expect(await stage.storage.projects.update(project.id, { websiteUrl: null, name: 'x' })).toBe('updated')
      expect(await stage.storage.projects.find('weather')).toEqual({
        ...project,
        ...details,
        isPublic: true,
        websiteUrl: null,
        name: 'x',
      })
      expect(await stage.storage.projects.update(mintUnshardedId('prj', NOW), { name: 'x' })).toBe('missing')
    })

    it('are deleted with all their data, and nothing else', async () => {
      const doomed = await addProject('doomed')
      const kept = await addProject('kept')
      const { key } = mintKey({ ...keyFields(doomed), kind: 'secret' })
      await stage.storage.keys.create(key)
      const report = reportFor(doomed, { submission: submission('same') })
      await stage.storage.issues.submit(report)
      await stage.storage.issues.submit(reportFor(kept, { submission: submission('same') }))

      let steps = 0
      while (!(await stage.storage.projects.delete(doomed.id)).isFinished) expect(++steps).toBeLessThan(10)
      expect(await stage.storage.projects.find('doomed')).toBeUndefined()
      expect(await stage.storage.keys.findByHash(key.hash)).toBeUndefined()
      expect(await stage.storage.issues.find(doomed.id, report.issueId)).toBeUndefined()
      expect(await stage.storage.issues.submit(report)).toEqual({ kind: 'no-project' })
      expect(await numbersOf(kept)).toEqual([1])
      // Its slug is free again, and its successor starts from 1.
      expect(await numbersOf(await addProject('doomed'))).toEqual([])
    })

    it('stay if they are no longer being deleted when their rows are to be removed', async () => {
      const project = await addProject('weather')
      await stage.storage.issues.submit(reportFor(project))
      expect(await stage.storage.projects.removeDeleted(project.id)).toEqual({
        removedIssues: 0,
        isFinished: true,
      })
      expect(await numbersOf(project)).toEqual([1])
      await stage.storage.projects.delete(project.id)
      while (!(await stage.storage.projects.removeDeleted(project.id)).isFinished);
      expect(await stage.storage.projects.listDeleted()).toEqual([])
    })

    it('are hidden at the first step of their deletion', async () => {
      const project = await addProject('doomed')
      const report = reportFor(project)
      await stage.storage.issues.submit(report)
      await stage.storage.projects.delete(project.id)
      expect(await stage.storage.projects.find(project.id)).toBeUndefined()
      expect(await stage.storage.projects.list(null, 10)).toEqual([])
      expect(await stage.storage.issues.find(project.id, report.issueId)).toBeUndefined()
    })
  })

  describe('SDK settings', () => {
    const settings = {
      enabled: false,
      minSdkVersion: '1.2.0',
      features: { 'new-home': true, ratio: 0.5, theme: 'Grüße "🌒"' },
      featureLimits: { theme: { minAppVersion: '2.4', maxAppVersion: null, platforms: ['ios'], share: 0.1 } },
      crash: { enabled: true, sampleRate: 0.25 },
      refreshAfterSeconds: 600,
    }

    it('are empty until they are saved', async () => {
      const project = await addProject('weather')
      const other = await addProject('maps')
      expect(await stage.storage.projects.findSdkSettings(project.id)).toEqual({})
      const version = await stage.storage.catalogVersion()
      expect(await stage.storage.projects.saveSdkSettings(project.id, settings)).toBe('saved')
      expect(await stage.storage.projects.saveSdkSettings(project.id, { ...settings, features: {} })).toBe(
        'saved',
      )
      expect(await stage.storage.projects.findSdkSettings(project.id)).toEqual({ ...settings, features: {} })
      expect(await stage.storage.catalogVersion()).not.toBe(version)
      expect(await stage.storage.projects.findSdkSettings(other.id)).toEqual({})
      expect(await stage.storage.projects.find('weather')).toEqual(project)
    })

    it('belong to a project that exists', async () => {
      const missing = mintUnshardedId('prj', NOW)
      expect(await stage.storage.projects.findSdkSettings(missing)).toBeUndefined()
      expect(await stage.storage.projects.saveSdkSettings(missing, settings)).toBe('missing')
      const doomed = await addProject('doomed')
      await stage.storage.issues.submit(reportFor(doomed))
      await stage.storage.projects.delete(doomed.id)
      expect(await stage.storage.projects.findSdkSettings(doomed.id)).toBeUndefined()
      expect(await stage.storage.projects.saveSdkSettings(doomed.id, settings)).toBe('missing')
    })

    it('can be compared with the SDK versions of reports, day by day', async () => {
      const project = await addProject('weather')
      const other = await addProject('maps')
      const submit = async (to: ProjectRecord, version: string, daysAgo: number) => {
        const content = { ...contentOf('bug'), sdk: { name: '@bugle/sdk', version } }
        await stage.storage.issues.submit(reportFor(to, { content, receivedAt: NOW - daysAgo * 86_400_000 }))
      }
      await submit(project, '0.9.0', 0)
      await submit(project, '0.9.0', 3)
      await submit(project, '1.0.0', 3)
      await submit(project, '0.9.0', 4)
      await submit(other, '0.1.0', 0)
      await stage.storage.issues.submit(reportFor(project))
      expect(await stage.storage.projects.countSdkReports(project.id, '2026-11-12')).toEqual([
        { version: '0.9.0', count: 2 },
        { version: '1.0.0', count: 1 },
      ])
      expect(await stage.storage.projects.countSdkReports(project.id, '2026-11-16')).toEqual([])
    })

    it('can be compared with the apps of recent issues, without the security lane', async () => {
      const project = await addProject('weather')
      const other = await addProject('maps')
      const submit = async (to: ProjectRecord, content: Partial<ReportContent>, daysAgo = 0) => {
        const report = {
          content: { ...contentOf('bug'), ...content },
          receivedAt: NOW - daysAgo * 86_400_000,
        }
        await stage.storage.issues.submit(reportFor(to, report))
      }
      await submit(project, { appVersion: '2.4.1', platform: 'ios' }, 40)
      await submit(project, { appVersion: '2.4.1', platform: 'ios' })
      await submit(project, { appVersion: '2.4.1', platform: 'ios' }, 3)
      await submit(project, { appVersion: null, platform: 'web' })
      await submit(project, { ...contentOf('security'), appVersion: '2.4.1', platform: 'ios' })
      await submit(other, { appVersion: '1.0', platform: 'ios' })
      const since = NOW - 30 * 86_400_000
      const apps = await stage.storage.projects.countAppIssues(project.id, since)
      expect([...apps].sort((a, b) => a.count - b.count)).toEqual([
        { appVersion: null, platform: 'web', count: 1 },
        { appVersion: '2.4.1', platform: 'ios', count: 2 },
      ])
      expect(await stage.storage.projects.countAppIssues(project.id, NOW + 1)).toEqual([])
      expect(await stage.storage.projects.countAppIssues(mintUnshardedId('prj', NOW), since)).toEqual([])
    })
  })
}
