import type { IssueStatus } from '@bugle/contract/vocabulary'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { mintKey } from '../domain/keys.ts'
import { makeProject } from '../domain/projects.ts'
import { normaliseSubmission } from '../domain/report-content.ts'
import { type IssueId, mintId, mintUnshardedId, ordinalOf } from '../ids.ts'
import { everyIssue, type ListStart } from './records/issue-lists.ts'
import type { Lane } from './records/lanes.ts'
import type { ProjectRecord } from './records/projects.ts'
import type { NewReport, SubmitOutcome } from './records/reports.ts'
import type { Storage } from './storage.ts'

const NOW = Date.UTC(2026, 10, 15)

/** The suite that every database passes. `open` gives an empty database each time. */
export function describeStorage(name: string, open: () => Promise<Storage & AsyncDisposable>): void {
  describe(`storage: ${name}`, () => {
    let storage: Storage & AsyncDisposable

    beforeEach(async () => {
      storage = await open()
    })
    afterEach(() => storage[Symbol.asyncDispose]())

    async function addProject(slug: string): Promise<ProjectRecord> {
      const project = makeProject({
        slug,
        name: slug,
        isPublic: false,
        defaultBranch: 'main',
        createdAt: NOW,
      })
      expect(await storage.projects.create(project)).toBe('created')
      return project
    }

    async function numbersOf(project: ProjectRecord): Promise<number[]> {
      const selection = everyIssue(project.id, ['open', 'security'])
      const { issues } = await storage.issues.list({
        selection,
        sort: 'newest',
        start: { offset: 0 },
        limit: 1_000,
      })
      return issues.map((issue) => issue.issueNumber)
    }

    describe('projects', () => {
      it('are found by id, slug and ordinal', async () => {
        const project = await addProject('weather')
        expect(await storage.projects.find(project.id)).toEqual(project)
        expect(await storage.projects.find('weather')).toEqual(project)
        expect(await storage.projects.findByOrdinal(ordinalOf(project.id))).toEqual(project)
        expect(await storage.projects.find('absent')).toBeUndefined()
        expect(await storage.projects.find(mintUnshardedId('prj', NOW))).toBeUndefined()
        expect(await storage.projects.findByOrdinal(1)).toBeUndefined()
      })

      it('have slugs of their own', async () => {
        const first = await addProject('taken')
        const second = await addProject('free')
        expect(await storage.projects.create({ ...makeProject(first), slug: 'taken' })).toBe('slug-taken')
        expect(await storage.projects.update(second.id, { slug: 'taken' })).toBe('slug-taken')
        expect(await storage.projects.update(first.id, { slug: 'taken' })).toBe('updated')
        expect((await storage.projects.list(null, 10)).map(({ slug }) => slug)).toEqual(['taken', 'free'])
      })

      it('change only where they are told to', async () => {
        const project = await addProject('weather')
        expect(await storage.projects.update(project.id, { isPublic: true })).toBe('updated')
        expect(await storage.projects.find('weather')).toEqual({ ...project, isPublic: true })
        expect(await storage.projects.update(mintUnshardedId('prj', NOW), { name: 'x' })).toBe('missing')
      })

      it('are deleted with everything that is theirs, and nothing else', async () => {
        const doomed = await addProject('doomed')
        const kept = await addProject('kept')
        const { key } = mintKey({ ...keyWish(doomed), kind: 'secret' })
        await storage.keys.create(key)
        const report = reportFor(doomed, { submission: submission('same') })
        await storage.issues.submit(report)
        await storage.issues.submit(reportFor(kept, { submission: submission('same') }))

        let steps = 0
        while (!(await storage.projects.delete(doomed.id)).isFinished) expect(++steps).toBeLessThan(10)
        expect(await storage.projects.find('doomed')).toBeUndefined()
        expect(await storage.keys.findByHash(key.hash)).toBeUndefined()
        expect(await storage.issues.find(doomed.id, report.issueId)).toBeUndefined()
        expect(await storage.issues.submit(report)).toEqual({ kind: 'no-project' })
        expect(await numbersOf(kept)).toEqual([1])
        // Its slug is free again, and its successor starts from 1.
        expect(await numbersOf(await addProject('doomed'))).toEqual([])
      })

      it('vanish at the first step of their deletion', async () => {
        const project = await addProject('doomed')
        const report = reportFor(project)
        await storage.issues.submit(report)
        await storage.projects.delete(project.id)
        expect(await storage.projects.find(project.id)).toBeUndefined()
        expect(await storage.projects.list(null, 10)).toEqual([])
        expect(await storage.issues.find(project.id, report.issueId)).toBeUndefined()
      })
    })

    describe('SDK settings', () => {
      const settings = {
        enabled: false,
        minSdkVersion: '1.2.0',
        features: { 'new-home': true, ratio: 0.5, theme: 'Grüße "🌒"' },
        crash: { enabled: true, sampleRate: 0.25 },
        refreshAfterSeconds: 600,
      }

      it('are empty until they are saved, and then what was saved last', async () => {
        const project = await addProject('weather')
        const other = await addProject('maps')
        expect(await storage.projects.findSdkSettings(project.id)).toEqual({})
        const version = await storage.catalogVersion()
        expect(await storage.projects.saveSdkSettings(project.id, settings)).toBe('saved')
        expect(await storage.projects.saveSdkSettings(project.id, { ...settings, features: {} })).toBe(
          'saved',
        )
        expect(await storage.projects.findSdkSettings(project.id)).toEqual({ ...settings, features: {} })
        expect(await storage.catalogVersion()).not.toBe(version)
        expect(await storage.projects.findSdkSettings(other.id)).toEqual({})
        expect(await storage.projects.find('weather')).toEqual(project)
      })

      it('belong to a project that exists', async () => {
        const missing = mintUnshardedId('prj', NOW)
        expect(await storage.projects.findSdkSettings(missing)).toBeUndefined()
        expect(await storage.projects.saveSdkSettings(missing, settings)).toBe('missing')
        const doomed = await addProject('doomed')
        await storage.issues.submit(reportFor(doomed))
        await storage.projects.delete(doomed.id)
        expect(await storage.projects.findSdkSettings(doomed.id)).toBeUndefined()
        expect(await storage.projects.saveSdkSettings(doomed.id, settings)).toBe('missing')
      })

      it('can be weighed by the versions that reports came from, day by day', async () => {
        const project = await addProject('weather')
        const other = await addProject('maps')
        const submit = async (to: ProjectRecord, version: string, daysAgo: number) => {
          const content = { ...contentOf('bug'), sdk: { name: '@bugle/sdk', version } }
          await storage.issues.submit(reportFor(to, { content, receivedAt: NOW - daysAgo * 86_400_000 }))
        }
        await submit(project, '0.9.0', 0)
        await submit(project, '0.9.0', 3)
        await submit(project, '1.0.0', 3)
        await submit(project, '0.9.0', 4)
        await submit(other, '0.1.0', 0)
        await storage.issues.submit(reportFor(project))
        expect(await storage.projects.countSdkReports(project.id, '2026-11-12')).toEqual([
          { version: '0.9.0', count: 2 },
          { version: '1.0.0', count: 1 },
        ])
        expect(await storage.projects.countSdkReports(project.id, '2026-11-16')).toEqual([])
      })
    })

    describe('keys', () => {
      it('are found by hash and listed by owner', async () => {
        const project = await addProject('weather')
        const own = mintKey({ ...keyWish(project), kind: 'public', origins: ['https://app.example'] }).key
        const instance = mintKey({ ...keyWish(null), kind: 'secret', scopes: ['issues:read'] }).key
        await storage.keys.create(own)
        await storage.keys.create(instance)
        expect(await storage.keys.findByHash(own.hash)).toEqual(stored(own))
        expect((await storage.keys.list(project.id)).map(({ id }) => id)).toEqual([own.id])
        expect(await storage.keys.list(null)).toEqual([stored(instance)])
      })

      it('are revoked once', async () => {
        const { key } = mintKey({ ...keyWish(await addProject('weather')), kind: 'secret' })
        await storage.keys.create(key)
        expect(await storage.keys.revoke(key.id, NOW + 1)).toBe('revoked')
        expect(await storage.keys.revoke(key.id, NOW + 2)).toBe('already-revoked')
        expect((await storage.keys.findByHash(key.hash))?.revokedAt).toBe(NOW + 1)
        expect(await storage.keys.revoke(mintUnshardedId('key', NOW), NOW)).toBe('missing')
      })
    })

    describe('the catalog version', () => {
      it('changes with projects and keys, and with nothing else', async () => {
        const versions = [await storage.catalogVersion()]
        const note = async () => versions.push(await storage.catalogVersion())
        const project = await addProject('weather')
        await note()
        const { key } = mintKey({ ...keyWish(project), kind: 'public' })
        await storage.keys.create(key)
        await note()
        await storage.projects.update(project.id, { name: 'new' })
        await note()
        await storage.keys.revoke(key.id, NOW)
        await note()
        expect(new Set(versions).size).toBe(versions.length)
        await storage.issues.submit(reportFor(project))
        expect(await storage.catalogVersion()).toBe(versions.at(-1))
      })
    })

    describe('submission', () => {
      it('stores every member as it was given', async () => {
        const project = await addProject('weather')
        const content = {
          title: 'Ünï¢ødé 🎺 title',
          description: 'a\nb\t"c" \u202e',
          category: 'crash',
          priority: 'critical',
          appVersion: '2.4.1',
          buildNumber: '0512',
          osVersion: 'iOS 26.1',
          deviceModel: 'iPhone 17',
          platform: 'ios',
          branch: 'release/2.4',
          fingerprint: 'f'.repeat(128),
          occurredAt: NOW - 60_000,
          metadata: { locale: 'de-CH', free: 12.5, isPro: false },
          sdk: { name: '@bugle/sdk', version: '0.1.0' },
        } as const
        const report = reportFor(project, { content, submission: submission('one') })
        const outcome = await storage.issues.submit(report)
        expect(receiptOf(outcome)).toEqual({
          issueId: report.issueId,
          issueNumber: 1,
          status: 'open',
          createdAt: NOW,
          reportCount: 1,
        })
        expect(await storage.issues.find(project.id, report.issueId)).toEqual({
          ...content,
          id: report.issueId,
          projectId: project.id,
          issueNumber: 1,
          status: 'open',
          submissionId: 'one',
          reportCount: 1,
          lastReportedAt: NOW,
          fixedIn: null,
          resolvedAt: null,
          firstLeftOpenAt: null,
          firstResolvedAt: null,
          createdAt: NOW,
          updatedAt: NOW,
          version: 1,
        })
      })

      it('numbers issues without gap or repeat, project by project', async () => {
        const [a, b] = [await addProject('a'), await addProject('b')]
        const outcomes = await Promise.all(
          Array.from({ length: 300 }, (_, index) =>
            storage.issues.submit(reportFor(index % 3 === 0 ? b : a)),
          ),
        )
        expect(outcomes.every(({ kind }) => kind === 'stored')).toBe(true)
        expect(await numbersOf(a)).toEqual(countdown(200))
        expect(await numbersOf(b)).toEqual(countdown(100))
      })

      it('repeats the first receipt for the same submission, and stores nothing', async () => {
        const project = await addProject('weather')
        const first = await storage.issues.submit(reportFor(project, { submission: submission('one') }))
        const again = await storage.issues.submit(
          reportFor(project, { submission: submission('one'), receivedAt: NOW + 5_000 }),
        )
        expect(again).toEqual({ kind: 'replayed', receipt: receiptOf(first) })
        expect(await numbersOf(project)).toEqual([1])
      })

      it('stores one of many equal submissions that arrive together', async () => {
        const project = await addProject('weather')
        const outcomes = await Promise.all(
          Array.from({ length: 50 }, () =>
            storage.issues.submit(reportFor(project, { submission: submission('one') })),
          ),
        )
        expect(outcomes.filter(({ kind }) => kind === 'stored')).toHaveLength(1)
        expect(outcomes.filter(({ kind }) => kind === 'replayed')).toHaveLength(49)
        expect(new Set(outcomes.map((outcome) => JSON.stringify(receiptOf(outcome)))).size).toBe(1)
        expect(await numbersOf(project)).toEqual([1])
      })

      it('refuses the same submission id with other content, and takes no number for it', async () => {
        const project = await addProject('weather')
        await storage.issues.submit(reportFor(project, { submission: submission('one') }))
        const other = { id: 'one', contentHash: new Uint8Array(16).fill(9) }
        expect(await storage.issues.submit(reportFor(project, { submission: other }))).toEqual({
          kind: 'conflict',
        })
        expect(receiptOf(await storage.issues.submit(reportFor(project))).issueNumber).toBe(2)
      })

      it('keeps the submission ids of projects apart', async () => {
        const [a, b] = [await addProject('a'), await addProject('b')]
        expect((await storage.issues.submit(reportFor(a, { submission: submission('one') }))).kind).toBe(
          'stored',
        )
        expect((await storage.issues.submit(reportFor(b, { submission: submission('one') }))).kind).toBe(
          'stored',
        )
      })

      it('asks for another id when one is taken, and takes no number for it', async () => {
        const project = await addProject('weather')
        const report = reportFor(project)
        await storage.issues.submit(report)
        expect(await storage.issues.submit(report)).toEqual({ kind: 'id-taken' })
        expect(receiptOf(await storage.issues.submit(reportFor(project))).issueNumber).toBe(2)
      })

      it('joins only what the reporter may learn of', async () => {
        const project = await addProject('weather')
        const content = { ...contentOf('security'), fingerprint: 'hidden' }
        const submit = (lanes: readonly Lane[]) =>
          storage.issues.submit(reportFor(project, { content, lanes }))
        expect((await submit(['open'])).kind).toBe('stored')
        const stranger = receiptOf(await submit(['open']))
        expect(stranger).toMatchObject({ issueNumber: 2, reportCount: 1 })
        expect((await storage.issues.find(project.id, stranger.issueId))?.fingerprint).toBeNull()
        expect(receiptOf(await submit(['open', 'security']))).toMatchObject({
          issueNumber: 1,
          reportCount: 2,
        })
      })

      it('knows no project that is not there', async () => {
        const stranger = makeProject({
          slug: 'x',
          name: 'x',
          isPublic: false,
          defaultBranch: 'main',
          createdAt: NOW,
        })
        expect(await storage.issues.submit(reportFor(stranger))).toEqual({ kind: 'no-project' })
      })
    })

    describe('retrieval', () => {
      it('finds an issue only in its own project', async () => {
        const [a, b] = [await addProject('a'), await addProject('b')]
        const report = reportFor(a)
        await storage.issues.submit(report)
        expect((await storage.issues.find(a.id, report.issueId))?.issueNumber).toBe(1)
        expect(await storage.issues.find(b.id, report.issueId)).toBeUndefined()
        const stranger: IssueId = mintId('iss', NOW, ordinalOf(a.id))
        expect(await storage.issues.find(a.id, stranger)).toBeUndefined()
      })
    })

    describe('lists', () => {
      it('run newest first, by offset or from a place on', async () => {
        const project = await addProject('weather')
        await addMany(storage, project, 30)
        const list = async (start: ListStart, limit: number) => {
          const listing = {
            selection: everyIssue(project.id, ['open']),
            sort: 'newest',
            start,
            limit,
          } as const
          const { issues, next } = await storage.issues.list(listing)
          return [issues.map(({ issueNumber }) => issueNumber), next?.number ?? null]
        }
        expect(await list({ offset: 0 }, 3)).toEqual([[30, 29, 28], 28])
        expect(await list({ offset: 28 }, 3)).toEqual([[2, 1], null])
        expect(await list({ after: { key: 28, number: 28 } }, 3)).toEqual([[27, 26, 25], 25])
        expect(await list({ after: { key: 3, number: 3 } }, 2)).toEqual([[2, 1], null])
        expect(await list({ after: { key: 1, number: 1 } }, 3)).toEqual([[], null])
      })

      it('show and count only the lanes and statuses that are asked for', async () => {
        const project = await addProject('weather')
        const other = await addProject('other')
        await addMany(storage, project, 4)
        await addMany(storage, other, 2)
        await storage.issues.submit(reportFor(project, { content: contentOf('security') }))
        const select = (lanes: readonly Lane[], statuses: readonly IssueStatus[] | null) => ({
          ...everyIssue(project.id, lanes),
          statuses,
        })
        const count = (...wish: Parameters<typeof select>) => storage.issues.count(select(...wish))
        const categories = async (...wish: Parameters<typeof select>) => {
          const listing = {
            selection: select(...wish),
            sort: 'newest',
            start: { offset: 0 },
            limit: 9,
          } as const
          return (await storage.issues.list(listing)).issues.map(({ category }) => category)
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

    describe('events', () => {
      it('are read in order, and what is hidden uses up nothing', async () => {
        const project = await addProject('weather')
        for (const category of ['bug', 'security', 'security', 'bug', 'bug'] as const) {
          await storage.issues.submit(reportFor(project, { content: contentOf(category) }))
        }
        const read = async (after: number, limit: number, lanes: readonly Lane[] = ['open']) => {
          const part = await storage.events.list({ projectId: project.id, lanes, types: null, after, limit })
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
        expect(await storage.events.window(project.id)).toEqual({ start: 0, end: 5 })
      })

      it('of some types are found among many others', async () => {
        const project = await addProject('weather')
        const report = reportFor(project)
        await storage.issues.submit(report)
        await addMany(storage, project, 20)
        const order = {
          projectId: project.id,
          issueId: report.issueId,
          lanes: ['open'],
          actor: null,
          at: NOW,
        } as const
        await storage.issues.change({ ...order, patch: { status: 'closed' }, ifVersions: null })
        const selection = { projectId: project.id, lanes: ['open'], types: ['issue.status_changed'] } as const
        const part = await storage.events.list({ ...selection, after: 0, limit: 5 })
        expect(part).toMatchObject({
          events: [{ position: 22, issueId: report.issueId, issueNumber: 1 }],
          hasMore: false,
        })
      })

      it('are told of once they are committed', async () => {
        const project = await addProject('weather')
        const told: (string | null)[] = []
        const stop = storage.events.subscribe((projectId) => told.push(projectId))
        await storage.issues.submit(reportFor(project))
        await expect.poll(() => told.length, { timeout: 3_000 }).toBeGreaterThan(0)
        expect(told[0] === project.id || told[0] === null).toBe(true)
        stop()
      })
    })

    it('can be probed, and after closing refuses everything', async () => {
      await storage.probe()
      await storage.close()
      await expect(storage.probe()).rejects.toThrow(/closed/)
    })
  })
}

function keyWish(project: ProjectRecord | null) {
  return { projectId: project?.id ?? null, name: 'test', scopes: [], origins: [], createdAt: NOW } as const
}

function stored<T extends { readonly hash: Uint8Array }>(key: T): T {
  return { ...key, hash: new Uint8Array(key.hash) }
}

function submission(id: string) {
  return { id, contentHash: new Uint8Array(16).fill(id.length) }
}

function contentOf(category: 'bug' | 'security') {
  return normaliseSubmission({ title: 'Settings screen stays blank', category })
}

function reportFor(project: ProjectRecord, wish: Partial<NewReport> = {}): NewReport {
  const receivedAt = wish.receivedAt ?? NOW
  return {
    projectId: project.id,
    issueId: mintId('iss', receivedAt, ordinalOf(project.id)),
    receivedAt,
    actor: null,
    lanes: ['open'],
    content: contentOf('bug'),
    submission: null,
    ...wish,
  }
}

async function addMany(storage: Storage, project: ProjectRecord, count: number): Promise<void> {
  for (let index = 0; index < count; index++) await storage.issues.submit(reportFor(project))
}

function receiptOf(outcome: SubmitOutcome) {
  if (!('receipt' in outcome)) throw new Error(`no receipt: ${outcome.kind}`)
  return outcome.receipt
}

function countdown(from: number): number[] {
  return Array.from({ length: from }, (_, index) => from - index)
}
