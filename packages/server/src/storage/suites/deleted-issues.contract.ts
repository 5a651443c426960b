import { describe, expect, it } from 'vitest'
import { NOW, receiptOf, reportFor, submission } from '../../../test-support/storage-stage.ts'
import { setWebhookStage, TAKEN } from '../../../test-support/webhook-stage.ts'
import type { IssueId } from '../../model/ids.ts'
import type { IssueChangeCommand } from '../../model/issues.ts'
import { type Lane, positionFor } from '../../model/lanes.ts'
import { normaliseSubmission, reportIdOf } from '../../model/reports/reports.ts'
import type { TransferLine } from '../../model/transfer/lines.ts'
import type { WebhookRecord } from '../../model/webhooks.ts'
import type { Inspection } from '../inspection.ts'
import type { Storage } from '../storage.ts'

const ALL: readonly Lane[] = ['open', 'security']
const REPORTS = 2_000
const FEW_ROWS = 60
const REPORTER = 'ab'.repeat(32)

/** A database that can be closed, reopened and queried directly. */
export interface ReopenedDatabase extends AsyncDisposable {
  open(): Promise<Storage>
  inspect(): Promise<Inspection>
  count(sql: string): Promise<number>
  /** The key of issue 1, as stored in reports and events. */
  readonly isOfFirstIssue: string
}

/** What happens to an issue that has many reports when it is deleted, or moved to another lane. */
export function describeDeletedIssues(name: string, create: () => Promise<ReopenedDatabase>): void {
  describe(`issues with many reports: ${name}`, () => {
    let database: ReopenedDatabase
    let current: Storage
    const stage = setWebhookStage(async () => {
      database = await create()
      current = await database.open()
      return new Proxy({} as Storage & AsyncDisposable, {
        get: (_, member) => (member === Symbol.asyncDispose ? dispose : Reflect.get(current, member)),
      })
    })
    const { addWebhook, claim, fanOut, list, record } = stage

    async function dispose(): Promise<void> {
      await current.close()
      await database[Symbol.asyncDispose]()
    }

    async function reopen(): Promise<void> {
      await current.close()
      current = await database.open()
    }

    function noisyReport(id: string) {
      const content = normaliseSubmission({
        title: 'Crash',
        fingerprint: 'noisy',
        appVersion: '1.0',
        reporterKeyHash: REPORTER,
      })
      return reportFor(stage.project, { content, submission: submission(id) })
    }

    /** The first issue has many reports, the second one none; webhooks have read part of the log and received some events. */
    async function tellStory(): Promise<{ issueId: IssueId; open: WebhookRecord; full: WebhookRecord }> {
      const open = await addWebhook()
      const full = await addWebhook({ includeSecurity: true })
      const { issueId } = receiptOf(await current.issues.submit(noisyReport('noisy-0')))
      const others = Array.from({ length: REPORTS - 1 }, (_, n) => noisyReport(`noisy-${n + 1}`))
      await Promise.all(others.map((report) => current.issues.submit(report)))
      await current.issues.submit(reportFor(stage.project))
      for (const webhook of [open, full]) await fanOut(webhook)
      for (const claimed of await claim()) await record(claimed, TAKEN)
      return { issueId, open, full }
    }

    const remove = (issueId: IssueId) =>
      current.issues.delete({ projectId: stage.project.id, issueId, lanes: ALL, actor: null, at: NOW })

    const change = (issueId: IssueId, patch: IssueChangeCommand['patch']) =>
      current.issues.change({
        projectId: stage.project.id,
        issueId,
        lanes: ALL,
        actor: null,
        at: NOW,
        patch,
        ifVersions: null,
      })

    /** The whole log, as visible in these lanes. */
    async function readLog(lanes: readonly Lane[]): Promise<readonly string[]> {
      const found: string[] = []
      for (let after = 0; ; ) {
        const selection = { projectId: stage.project.id, lanes, types: null, after, limit: 100 }
        const { events, lastExamined, hasMore } = await current.events.list(selection)
        found.push(
          ...events.map((event) => `${positionFor(lanes, event)} ${event.type} ${event.issueNumber}`),
        )
        if (!hasMore) return found
        expect(lastExamined).toBeGreaterThan(after)
        after = lastExamined
      }
    }

    function exported(): Promise<readonly TransferLine[]> {
      return current.transfer.snapshot(stage.project.id, async ({ lines }) => {
        const found: TransferLine[] = []
        for await (const some of lines()) found.push(...some)
        return found
      })
    }

    const isOfFirstIssue = (line: TransferLine) => 'issueNumber' in line && line.issueNumber === 1

    async function expectNoTrace(issueId: IssueId, webhooks: readonly WebhookRecord[]): Promise<void> {
      const { project } = stage
      expect(await current.issues.find(project.id, issueId)).toBeUndefined()
      expect(await current.issues.findByNumber(project.id, 1)).toBeUndefined()
      const log = [`${REPORTS + 1} issue.created 2`, `${REPORTS + 2} issue.deleted 1`]
      for (const lanes of [ALL, ['open'] as const]) expect(await readLog(lanes)).toEqual(log)
      for (const webhook of webhooks) {
        expect(await list(webhook)).toEqual([])
        expect(await current.deliveries.countPending(webhook)).toBe(0)
        expect(
          await current.deliveries.find({ projectId: project.id, webhookId: webhook.id, lanes: ALL }, 3),
        ).toBeUndefined()
      }
      expect(await claim(NOW + 86_400_000)).toEqual([])
      const lines = await exported()
      expect(lines.filter(isOfFirstIssue)).toMatchObject([{ record: 'event', type: 'issue.deleted' }])
      expect(lines.filter(({ record }) => record === 'delivery' || record === 'attempt')).toEqual([])
      await using inspection = await database.inspect()
      expect((await inspection.audit()).faults).toEqual([])
    }

    it('are hidden immediately when they are deleted, and removed after some steps', async () => {
      const { issueId, open, full } = await tellStory()
      expect(await list(full)).not.toEqual([])
      expect(await remove(issueId)).toBe('deleted')
      await expectNoTrace(issueId, [open, full])

      for (let step = 0; step < 5; step++) expect(await current.issues.removeDeleted(FEW_ROWS)).toBe(true)
      await expectNoTrace(issueId, [open, full])
      // As after a crash between two steps: each of them is committed.
      await reopen()
      await expectNoTrace(issueId, [open, full])
      while (await current.issues.removeDeleted(FEW_ROWS));
      await expectNoTrace(issueId, [open, full])

      const { isOfFirstIssue } = database
      expect(await database.count('SELECT count(*) AS count FROM deleted_issues')).toBe(0)
      for (const table of ['reports', 'report_sources', 'submissions']) {
        expect(await database.count(`SELECT count(*) AS count FROM ${table} WHERE ${isOfFirstIssue}`)).toBe(0)
      }
      for (const table of ['deliveries', 'attempts']) {
        expect(await database.count(`SELECT count(*) AS count FROM ${table}`)).toBe(0)
      }
      expect(await database.count('SELECT count(*) AS count FROM events')).toBe(2)
    })

    it('leave nothing of a conversation in an export', async () => {
      const { issueId } = await tellStory()
      const projectId = stage.project.id
      const place = { projectId, issueId, lanes: ALL, actor: null, at: NOW }
      const reply = { commentId: 'a', text: 'Seen', audience: 'reporters', mentioned: [] } as const
      await current.comments.create({ ...place, ...reply })
      const report = { projectId, keyHash: REPORTER, reportId: reportIdOf(issueId) }
      expect(await current.myReports.markRead(report, 'a')).toBe(true)
      const kinds = (await exported()).filter(isOfFirstIssue).map(({ record }) => record)
      expect(kinds).toEqual(expect.arrayContaining(['comment', 'readMark']))

      await remove(issueId)
      expect((await exported()).filter(isOfFirstIssue)).toMatchObject([
        { record: 'event', type: 'issue.deleted' },
      ])
    })

    it('free their submission ids immediately, for submissions that then stay', async () => {
      const { issueId } = await tellStory()
      expect((await current.issues.submit(noisyReport('noisy-7'))).kind).toBe('replayed')
      await remove(issueId)
      const again = noisyReport('noisy-7')
      const plain = reportFor(stage.project, { submission: submission('noisy-8') })
      expect(
        (await Promise.all([again, plain].map((report) => current.issues.submit(report)))).map(
          ({ kind }) => kind,
        ),
      ).toEqual(['stored', 'stored'])
      const newId = () => reportFor(stage.project).issueId
      const retry = async () => (await current.issues.submit({ ...again, issueId: newId() })).kind
      expect(await retry()).toBe('replayed')
      while (await current.issues.removeDeleted(FEW_ROWS));
      expect(await retry()).toBe('replayed')
      expect((await current.issues.submit({ ...plain, issueId: newId() })).kind).toBe('replayed')
      await using inspection = await database.inspect()
      expect((await inspection.audit()).faults).toEqual([])
    })

    it('never become deliveries once they are deleted, even for a webhook that is behind', async () => {
      const { issueId, open } = await tellStory()
      await remove(issueId)
      while (await fanOut(open));
      expect((await list(open)).map(({ eventType }) => eventType)).toEqual(['issue.deleted', 'issue.created'])
    })

    it('leave nothing when their project is deleted at the same time', async () => {
      const { issueId } = await tellStory()
      await remove(issueId)
      await current.issues.removeDeleted(FEW_ROWS)
      while (!(await current.projects.delete(stage.project.id)).isFinished);
      for (const table of ['deleted_issues', 'events', 'reports', 'submissions', 'deliveries']) {
        expect(await database.count(`SELECT count(*) AS count FROM ${table}`)).toBe(0)
      }
      expect(await current.issues.removeDeleted()).toBe(false)
    })

    it('are hidden with all their events at once when they enter the security lane', async () => {
      const { issueId, open, full } = await tellStory()
      await change(issueId, { category: 'security' })
      expect(await readLog(['open'])).toEqual([`${REPORTS + 1} issue.created 2`])
      expect(await readLog(ALL)).toHaveLength(REPORTS + 2)
      expect(await list(open, ['open'])).toEqual([])
      const before = await list(full, ALL)
      const isPending = ({ status }: { readonly status: string }) => status === 'pending'
      expect(await current.deliveries.countPending(open)).toBe(0)
      expect(await current.deliveries.countPendingOf([full, open])).toEqual([
        before.filter(isPending).length,
        0,
      ])
      expect((await claim(NOW + 86_400_000)).map(({ webhook }) => webhook.id)).not.toContain(open.id)
      expect(await list(full, ALL)).not.toEqual([])
    })

    it('append their history to the open lane when they enter it', async () => {
      const { issueId } = await tellStory()
      await change(issueId, { category: 'security' })
      await current.issues.submit(noisyReport('open-again'))
      await change(issueId, { category: 'bug', status: 'acknowledged' })
      const log = await readLog(['open'])
      expect(log.slice(-3)).toEqual([
        `${REPORTS + 3} issue.created 1`,
        `${REPORTS + 4} issue.updated 1`,
        `${REPORTS + 5} issue.status_changed 1`,
      ])
      // Reports from before it was hidden keep their positions.
      expect(log.filter((event) => event.endsWith('issue.reported 1'))).toHaveLength(REPORTS - 1)
      const issue = await current.issues.find(stage.project.id, issueId)
      if (issue === undefined) throw new Error('the issue is gone')
      const history = await current.issues.listEvents({ issue, lanes: ['open'], afterPosition: 0, limit: 9 })
      expect(history.map(({ openPosition }) => openPosition)).toEqual([3, 4, 5].map((n) => REPORTS + n))
    })
  })
}
