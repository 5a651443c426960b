import { createHash } from 'node:crypto'
import type { OmissionReason } from '@bugle/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { addProject } from '../../../test-support/plain-reports.ts'
import { NOW, reportFor, submission } from '../../../test-support/storage-stage.ts'
import { type IssueId, mintId, projectNumberOf } from '../../model/ids.ts'
import { everyIssue } from '../../model/issue-lists.ts'
import type { Lane } from '../../model/lanes.ts'
import type { ProjectRecord } from '../../model/projects.ts'
import { attachmentNumber, type IssueAttachmentState } from '../../model/reports/attachments.ts'
import { normaliseSubmission } from '../../model/reports/reports.ts'
import type { Texts } from '../dialects.ts'
import type { FileName } from '../files/file-store.ts'
import { SELECT_RECEIVED } from '../nouns/issues/attachments.ts'
import { MAX_EXAMINED_ATTACHMENTS } from '../nouns/statistics/attachment-tally.ts'
import type { Storage } from '../storage.ts'

const ALL: readonly Lane[] = ['open', 'security']
const TOGETHER = 20

/** A storage whose database can be queried directly. */
export interface AttachmentDatabase extends AsyncDisposable {
  readonly storage: Storage
  count(sql: string): Promise<number>
  /** The plan of a statement, as text. */
  planOf(text: Texts, values: readonly number[]): Promise<string>
  /** Declares many files of an issue at once, from this attachment number on, in the only project. */
  declareMany(issueNumber: number, from: number, count: number): Promise<void>
}

interface Declared {
  readonly fingerprint?: string
  readonly omitted?: OmissionReason | null
}

/** What files cost an issue that has many. */
export function describeAttachments(name: string, create: () => Promise<AttachmentDatabase>): void {
  describe(`attachments: ${name}`, () => {
    let database: AttachmentDatabase
    let storage: Storage
    let project: ProjectRecord
    beforeEach(async () => {
      database = await create()
      storage = database.storage
      project = await addProject(storage)
    })
    afterEach(() => database[Symbol.asyncDispose]())

    const tally = async () =>
      (await storage.stats.readWithAttachments({ projectId: project.id, lanes: ALL })).attachments

    /** Reports that join one issue, each with this many files; returns the issue and the digests. */
    async function declare(
      reports: number,
      filesEach: number,
      { fingerprint = 'same', omitted = null }: Declared = {},
    ) {
      const sent = Array.from({ length: reports }, (_, index) => {
        const submissionId = `${fingerprint}-${filesEach}-${index}`
        const attachments = Array.from({ length: filesEach }, (_, place) => ({
          id: mintId('att', NOW, projectNumberOf(project.id)),
          name: 'note.txt',
          declaredType: 'text/plain',
          size: 1,
          omitted,
          sha256: createHash('sha256').update(`${submissionId}.${place}`).digest('hex'),
        }))
        const content = normaliseSubmission({ title: 'Crash', fingerprint })
        const report = { content, submission: submission(submissionId) }
        return reportFor(project, filesEach === 0 ? report : { ...report, attachments })
      })
      await Promise.all(sent.map((report) => storage.issues.submit(report)))
      const files = sent.flatMap((report) =>
        report.attachments?.map(({ sha256 }) => ({ submissionId: report.submission?.id ?? '', sha256 })),
      )
      return { issueId: sent[0]?.issueId as IssueId, files: files.filter((file) => file !== undefined) }
    }

    async function receive(files: Awaited<ReturnType<typeof declare>>['files']): Promise<void> {
      const command = { projectId: project.id, actor: null, at: NOW, maxProjectBytes: 1e9 }
      // Few at a time: on a busy machine, hundreds would wait too long for a connection.
      for (let from = 0; from < files.length; from += TOGETHER) {
        const outcomes = await Promise.all(
          files.slice(from, from + TOGETHER).map(({ submissionId, sha256 }) => {
            const file = `${projectNumberOf(project.id)}/${sha256.slice(0, 32)}`
            const stored = { file, contentType: null }
            return storage.attachments.receive({ ...command, submissionId, sha256, stored })
          }),
        )
        expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(['received']))
      }
    }

    const change = (issueId: IssueId, category: 'bug' | 'security') =>
      storage.issues.change({
        ...{ projectId: project.id, issueId, lanes: ALL, actor: null, at: NOW },
        ...{ patch: { category }, ifVersions: null },
      })

    const openEnd = async () => (await storage.events.window(project.id, ['open'])).end

    it('that were omitted are not expected, and may still arrive', async () => {
      const { files } = await declare(1, 1, { omitted: 'server-busy' })
      const listing = {
        projectId: project.id,
        issueNumber: 1,
        afterNumber: Number.MAX_SAFE_INTEGER,
        limit: 10,
      }
      expect(await storage.attachments.list(listing)).toMatchObject([{ omitted: 'server-busy', file: null }])
      expect(await storage.attachments.findState(project.id, 1)).toBeNull()
      const tally = async () => {
        const counted = { projectId: project.id, lanes: ALL }
        return (await storage.stats.readWithAttachments(counted)).attachments
      }
      expect(await tally()).toEqual({ received: 0, pending: 0 })
      await receive(files)
      expect(await storage.attachments.findState(project.id, 1)).toBe('received')
      expect(await tally()).toEqual({ received: 1, pending: 0 })
      expect(await storage.attachments.projectBytes(project.id)).toBe(1)
    })

    it('that never arrive are not read by uploads', async () => {
      await declare(1, 1)
      await database.declareMany(1, attachmentNumber(21, 0), 20_000)
      const plan = await database.planOf(SELECT_RECEIVED, [1, 1, attachmentNumber(21, 0), 1_000_000])
      expect(plan).toContain('received_attachments')
    })

    it('show whether an issue has files, with a few lookups however many there are', async () => {
      const selection = everyIssue(project.id, ALL)
      async function states(): Promise<ReadonlyMap<number, IssueAttachmentState>> {
        const { issues } = await storage.issues.list({
          selection,
          sort: 'oldest',
          start: { offset: 0 },
          limit: 9,
        })
        for (const { id, issueNumber, attachmentState } of issues) {
          expect(await storage.issues.find(project.id, id)).toMatchObject({ attachmentState })
          expect(await storage.issues.findByNumber(project.id, issueNumber)).toMatchObject({
            attachmentState,
          })
          expect(await storage.attachments.findState(project.id, issueNumber)).toBe(attachmentState)
        }
        return new Map(issues.map(({ issueNumber, attachmentState }) => [issueNumber, attachmentState]))
      }
      const { files } = await declare(1, 2, { fingerprint: 'received' })
      await declare(1, 1, { fingerprint: 'pending' })
      await storage.issues.submit(reportFor(project, {}))
      expect([...(await states())]).toEqual([
        [1, 'pending'],
        [2, 'pending'],
        [3, null],
      ])
      await receive(files.slice(0, 1))
      expect([...(await states())]).toEqual([
        [1, 'received'],
        [2, 'pending'],
        [3, null],
      ])
      // Of reports that are neither among the first nor among the latest: their files are not kept.
      await declare(101, 0, { fingerprint: 'not kept' })
      await database.declareMany(4, attachmentNumber(21, 0), 10)
      expect((await states()).get(4)).toBeNull()
      await database.declareMany(4, attachmentNumber(22, 0), 1)
      expect((await states()).get(4)).toBe('pending')
    })

    it('are examined up to a number when they are counted', async () => {
      await declare(1, 2, { fingerprint: 'older' })
      await declare(200, 1, { fingerprint: 'newer' })
      expect(await tally()).toEqual({ received: 0, pending: 102 })
      // Of an issue that was deleted, and whose rows are still to be removed: examined, not counted.
      await database.declareMany(3, 0, MAX_EXAMINED_ATTACHMENTS - 1)
      expect(await tally()).toEqual({ received: 0, pending: 1 })
    })

    it('of a deleted issue are examined with the step that deletes them', async () => {
      const { issueId, files } = await declare(60, 2)
      await receive(files)
      await storage.issues.delete({ projectId: project.id, issueId, lanes: ALL, actor: null, at: NOW })
      const suspects = () => database.count('SELECT count(*) AS count FROM files WHERE is_suspect = 1')
      while ((await suspects()) === 0) expect(await storage.issues.removeDeleted(30)).toBe(true)
      expect(await suspects()).toBe(30)
      while (await storage.issues.removeDeleted(30));
      while (await storage.attachments.releaseSome());
      expect(await storage.attachments.listRemoved(null, 1_000)).toHaveLength(files.length)
      expect(await storage.attachments.totalBytes()).toBe(0)
    })

    it('count as rows of their issue, so that one with many is deleted and moved like one with many reports', async () => {
      const { issueId, files } = await declare(6, 10)
      await receive(files)
      expect(await openEnd()).toBe(66)
      await change(issueId, 'security')
      await change(issueId, 'bug')
      expect(await openEnd()).toBe(69)
      await storage.issues.delete({ projectId: project.id, issueId, lanes: ALL, actor: null, at: NOW })
      expect(await database.count('SELECT count(*) AS count FROM deleted_issues')).toBe(1)
      while (await storage.issues.removeDeleted());
      for (const table of ['deleted_issues', 'attachments', 'reports', 'submissions']) {
        expect(await database.count(`SELECT count(*) AS count FROM ${table}`)).toBe(0)
      }
    })

    it('of a deleted project are removed in steps, and none is forgotten', async () => {
      const { files } = await declare(60, 10)
      await receive(files)
      expect((await storage.projects.delete(project.id)).isFinished).toBe(false)
      expect(await storage.attachments.listRemoved(null, 1_000)).toHaveLength(500)
      expect(await database.count('SELECT count(*) AS count FROM files')).toBe(100)
      while (!(await storage.projects.delete(project.id)).isFinished);
      const removed = await storage.attachments.listRemoved(null, 1_000)
      expect(removed).toHaveLength(600)
      expect(await storage.attachments.listRemoved(removed[597] ?? null, 1_000)).toEqual(removed.slice(598))
      expect(await database.count('SELECT count(*) AS count FROM files')).toBe(0)
    })

    it('of reports that are no longer kept are freed without another upload', async () => {
      const { files } = await declare(30, 1)
      await receive(files)
      await declare(90, 0)
      const sweep = async () => {
        let steps = 0
        for (let place = await storage.attachments.releaseOmitted(null, 7); place !== null; steps++)
          place = await storage.attachments.releaseOmitted(place, 7)
        return steps
      }
      expect(await sweep()).toBeGreaterThan(3)
      while (await storage.attachments.releaseSome());
      // Of 120 reports, the first 20 and the latest 80 keep their files.
      expect(await storage.attachments.listRemoved(null, 1_000)).toHaveLength(10)
      expect(await storage.attachments.totalBytes()).toBe(20)
      await sweep()
      expect(await storage.attachments.releaseSome()).toBe(false)
    })

    it('whose bytes are lost are given up: not received, no longer counted, and received again later', async () => {
      const { files } = await declare(3, 1)
      await receive(files)
      const listed = await storage.attachments.listFiles(null, 10)
      expect(listed.map(({ sha256 }) => sha256).sort()).toEqual(files.map(({ sha256 }) => sha256).sort())
      const [lost] = listed
      if (lost === undefined) throw new TypeError('there are files')
      await storage.attachments.giveUp([lost, { ...lost, name: `1/${'a'.repeat(32)}` }])
      expect(await tally()).toEqual({ received: 2, pending: 1 })
      expect(await storage.attachments.totalBytes()).toBe(2)
      expect(await storage.attachments.listRemoved(null, 10)).toEqual([lost.name])
      await receive(files.filter(({ sha256 }) => sha256 === lost.sha256))
      expect(await tally()).toEqual({ received: 3, pending: 0 })
    })

    it('of a deleted project are recognised in the store, those of an unknown project are not', async () => {
      const own: FileName = `${projectNumberOf(project.id)}/${'a'.repeat(32)}`
      const foreign: FileName = `${projectNumberOf(project.id) + 1}/${'a'.repeat(32)}`
      while (!(await storage.projects.delete(project.id)).isFinished);
      expect(await storage.attachments.findOrphans([own, foreign])).toEqual([own])
    })

    it('are listed by report, the newest first, and within a report as they were declared', async () => {
      const { issueId } = await declare(3, 4)
      const issue = await storage.issues.find(project.id, issueId)
      const place = { projectId: project.id, issueNumber: issue?.issueNumber ?? 0 }
      const listed: number[] = []
      for (let afterNumber = Number.MAX_SAFE_INTEGER; ; ) {
        const page = await storage.attachments.list({ ...place, afterNumber, limit: 3 })
        listed.push(...page.map(({ number }) => number))
        const last = page.at(-1)
        if (last === undefined) break
        afterNumber = last.number
      }
      const expected = [3, 2, 1].flatMap((report) =>
        [0, 1, 2, 3].map((index) => attachmentNumber(report, index)),
      )
      expect(listed).toEqual(expected)
    })

    it('have events that expire like those of reports', async () => {
      const { issueId, files } = await declare(2, 1)
      await receive(files)
      while (await storage.events.expireSome(project.id, NOW + 1));
      const selection = { projectId: project.id, lanes: ALL, types: null, after: 0, limit: 100 }
      expect((await storage.events.list(selection)).events.map(({ type }) => type)).toEqual(['issue.created'])
      expect((await storage.issues.find(project.id, issueId))?.reportCount).toBe(2)
    })

    it('have events that stay where they are when an issue with many reports moves to another lane', async () => {
      const { issueId, files } = await declare(60, 1)
      await receive(files)
      expect(await openEnd()).toBe(120)
      await change(issueId, 'security')
      await change(issueId, 'bug')
      // The event of its creation, and those of the two changes.
      expect(await openEnd()).toBe(123)
    })
  })
}
