import { MAX_COUNTED_VALUES } from '@bugle/contract/vocabulary'
import { describe, expect, it } from 'vitest'
import {
  contentOf,
  NOW,
  projectOf,
  receiptOf,
  reportFor,
  type StorageStage,
  submission,
} from '../../../test-support/storage-stage.ts'
import type { Lane } from '../../model/lanes.ts'
import { hashContent } from '../../model/reports/content-hashes.ts'
import type { NewReport } from '../../model/reports/reports.ts'

/** How reports become issues, and each only once. */
export function describeSubmissions(stage: StorageStage): void {
  const { addProject, numbersOf } = stage

  describe('submission', () => {
    it('can be given up until its transaction begins, and not afterwards', async () => {
      const project = await addProject('weather')
      const submit = () => {
        const controller = new AbortController()
        let isKept = false
        const { signal } = controller
        const report = reportFor(project)
        const outcome = stage.storage.issues.submit(report, { signal, keep: () => (isKept = true) })
        return { controller, outcome, id: report.issueId, isKept: () => isKept }
      }
      const busy = new Error('Others need the room.')
      const [first, given, last] = [submit(), submit(), submit()]
      given.controller.abort(busy)
      await expect(given.outcome).rejects.toBe(busy)
      expect(given.isKept()).toBe(false)
      await first.outcome
      await last.outcome
      const early = stage.storage.issues.submit(reportFor(project), {
        ...{ signal: AbortSignal.abort(busy), keep: () => undefined },
      })
      await expect(early).rejects.toBe(busy)
      const begun = submit()
      await expect.poll(() => begun.isKept()).toBe(true)
      begun.controller.abort(busy)
      await begun.outcome
      const found = await Promise.all(
        [first, given, last, begun].map(({ id }) => stage.storage.issues.find(project.id, id)),
      )
      expect(found.map((issue) => issue?.issueNumber)).toEqual([1, undefined, 2, 3])
    })

    it('stores every field as given', async () => {
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
        context: { page: 'https://app.example/a', width: 390, isOnline: true },
        reporter: { id: 'u 1', name: 'Ünï 🎺', email: 'Ada@Example.com' },
        reporterKeyHash: 'ab'.repeat(32),
        sdk: { name: '@bugle/sdk', version: '0.1.0' },
      } as const
      const report = reportFor(project, { content, submission: submission('one') })
      const outcome = await stage.storage.issues.submit(report)
      expect(receiptOf(outcome)).toEqual({
        issueId: report.issueId,
        issueNumber: 1,
        status: 'open',
        createdAt: NOW,
        receivedAt: NOW,
        reportCount: 1,
      })
      expect(await stage.storage.issues.find(project.id, report.issueId)).toEqual({
        ...content,
        attachmentState: null,
        id: report.issueId,
        projectId: project.id,
        issueNumber: 1,
        status: 'open',
        submissionId: 'one',
        reportCount: 1,
        reporterCount: 1,
        deletedReports: 0,
        editedAt: null,
        reportWords: 0,
        commentCount: 0,
        sender: null,
        spamAt: null,
        messageCount: 0,
        conversation: null,
        known: null,
        lastReportedAt: NOW,
        duplicateOf: null,
        statusBeforeMerge: null,
        duplicateCount: 0,
        duplicateReports: 0,
        ownReportedAt: null,
        fixedIn: null,
        assigneeId: null,
        labels: [],
        resolvedAt: null,
        unconfirmedVersion: null,
        lastSeenIn: null,
        onDefaultBranch: null,
        firstLeftOpenAt: null,
        firstResolvedAt: null,
        createdAt: NOW,
        updatedAt: NOW,
        version: 1,
      })
    })

    it('numbers issues without gaps or duplicates, project by project', async () => {
      const [a, b] = [await addProject('a'), await addProject('b')]
      const outcomes = await Promise.all(
        Array.from({ length: 300 }, (_, index) =>
          stage.storage.issues.submit(reportFor(index % 3 === 0 ? b : a)),
        ),
      )
      expect(outcomes.every(({ kind }) => kind === 'stored')).toBe(true)
      expect(await numbersOf(a)).toEqual(countdown(200))
      expect(await numbersOf(b)).toEqual(countdown(100))
    })

    it('repeats the first receipt for the same submission, and stores nothing', async () => {
      const project = await addProject('weather')
      const first = await stage.storage.issues.submit(reportFor(project, { submission: submission('one') }))
      const again = await stage.storage.issues.submit(
        reportFor(project, { submission: submission('one'), receivedAt: NOW + 5_000 }),
      )
      expect(again).toEqual({ kind: 'replayed', receipt: receiptOf(first) })
      expect(await numbersOf(project)).toEqual([1])
    })

    it('repeats the receipt of a report that joined an issue, whatever happened to the issue since', async () => {
      const project = await addProject('weather')
      const content = { ...contentOf('bug'), fingerprint: 'known' }
      const send = (receivedAt: number, name: string) =>
        stage.storage.issues.submit(reportFor(project, { content, receivedAt, submission: submission(name) }))
      const created = receiptOf(await send(NOW, 'one'))
      const joined = receiptOf(await send(NOW + 1_000, 'two'))
      expect(joined).toEqual({ ...created, receivedAt: NOW + 1_000, reportCount: 2 })
      await send(NOW + 2_000, 'three')
      expect(await send(NOW + 3_000, 'two')).toEqual({ kind: 'replayed', receipt: joined })
    })

    it('stores one of many equal submissions that arrive together', async () => {
      const project = await addProject('weather')
      const outcomes = await Promise.all(
        Array.from({ length: 50 }, () =>
          stage.storage.issues.submit(reportFor(project, { submission: submission('one') })),
        ),
      )
      expect(outcomes.filter(({ kind }) => kind === 'stored')).toHaveLength(1)
      expect(outcomes.filter(({ kind }) => kind === 'replayed')).toHaveLength(49)
      expect(new Set(outcomes.map((outcome) => JSON.stringify(receiptOf(outcome)))).size).toBe(1)
      expect(await numbersOf(project)).toEqual([1])
    })

    it('recognises a submission that 0.1.0 has stored', async () => {
      const project = await addProject('weather')
      const content = contentOf('bug')
      const send = (contentHash: string, overrides: Partial<NewReport> = {}) =>
        stage.storage.issues.submit(
          reportFor(project, { content, ...overrides, submission: { id: 'one', contentHash } }),
        )
      const first = await send('b99ff546a051d08436e37cfdc4f409de')
      expect(await send(hashContent(content))).toEqual({ kind: 'replayed', receipt: receiptOf(first) })
      const other = { ...content, title: 'Another' }
      expect(await send(hashContent(other), { content: other })).toEqual({ kind: 'conflict' })
    })

    it('refuses the same submission id with other content, without using up a number', async () => {
      const project = await addProject('weather')
      await stage.storage.issues.submit(reportFor(project, { submission: submission('one') }))
      const other = { id: 'one', contentHash: '09'.repeat(16) }
      expect(await stage.storage.issues.submit(reportFor(project, { submission: other }))).toEqual({
        kind: 'conflict',
      })
      expect(receiptOf(await stage.storage.issues.submit(reportFor(project))).issueNumber).toBe(2)
    })

    it('keeps the submission ids of projects separate', async () => {
      const [a, b] = [await addProject('a'), await addProject('b')]
      expect((await stage.storage.issues.submit(reportFor(a, { submission: submission('one') }))).kind).toBe(
        'stored',
      )
      expect((await stage.storage.issues.submit(reportFor(b, { submission: submission('one') }))).kind).toBe(
        'stored',
      )
    })

    it('requests another id if one is taken, without using up a number', async () => {
      const project = await addProject('weather')
      const report = reportFor(project)
      await stage.storage.issues.submit(report)
      expect(await stage.storage.issues.submit(report)).toEqual({ kind: 'id-taken' })
      expect(receiptOf(await stage.storage.issues.submit(reportFor(project))).issueNumber).toBe(2)
    })

    it('joins only issues that the reporter may see', async () => {
      const project = await addProject('weather')
      const content = { ...contentOf('security'), fingerprint: 'hidden' }
      const submit = (lanes: readonly Lane[]) =>
        stage.storage.issues.submit(reportFor(project, { content, lanes }))
      expect((await submit(['open'])).kind).toBe('stored')
      const stranger = receiptOf(await submit(['open']))
      expect(stranger).toMatchObject({ issueNumber: 2, reportCount: 1 })
      expect((await stage.storage.issues.find(project.id, stranger.issueId))?.fingerprint).toBeNull()
      expect(receiptOf(await submit(['open', 'security']))).toMatchObject({
        issueNumber: 1,
        reportCount: 2,
      })
    })

    it('knows every reported version, also beyond those that are counted by name', async () => {
      const project = await addProject('weather')
      const submit = (overrides: Partial<NewReport['content']>) =>
        stage.storage.issues.submit(reportFor(project, { content: { ...contentOf('bug'), ...overrides } }))
      await Promise.all(
        Array.from({ length: MAX_COUNTED_VALUES }, (_, index) => submit({ appVersion: `1.${index}` })),
      )
      await submit({ appVersion: '2.0' })
      const confirmations: unknown[] = []
      for (const appVersion of ['1.7', '2.0', '3.0']) {
        const fingerprint = `regresses in ${appVersion}`
        const { issueId } = receiptOf(await submit({ fingerprint }))
        const patch = { status: 'resolved' } as const
        const command = { projectId: project.id, issueId, lanes: ['open'], actor: null, at: NOW } as const
        await stage.storage.issues.change({ ...command, patch, ifVersions: null })
        await submit({ fingerprint, appVersion })
        const issue = await stage.storage.issues.find(project.id, issueId)
        const events =
          issue === undefined
            ? []
            : await stage.storage.issues.listEvents({
                issue: issue,
                lanes: ['open', 'security'],
                afterPosition: 0,
                limit: 50,
              })
        confirmations.push([events.at(-1)?.confirmed, issue?.unconfirmedVersion])
      }
      expect(confirmations).toEqual([
        [true, null],
        [true, null],
        [false, '3.0'],
      ])
    })

    it('does not find missing projects', async () => {
      const stranger = projectOf('x')
      expect(await stage.storage.issues.submit(reportFor(stranger))).toEqual({ kind: 'no-project' })
    })
  })
}

function countdown(from: number): number[] {
  return Array.from({ length: from }, (_, index) => from - index)
}
