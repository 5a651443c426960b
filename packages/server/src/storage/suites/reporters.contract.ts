import { MAX_COUNTED_REPORTERS } from '@bugle/contract/vocabulary'
import { describe, expect, it } from 'vitest'
import { NOW, reportFor, type StorageStage } from '../../../test-support/storage-stage.ts'
import type { IssueId } from '../../model/ids.ts'
import { everyIssue } from '../../model/issue-lists.ts'
import type { Lane } from '../../model/lanes.ts'
import type { ProjectRecord } from '../../model/projects.ts'
import { identityOf, reporterValues } from '../../model/reports/reporters.ts'
import { type NewReport, normaliseSubmission } from '../../model/reports/reports.ts'

type SubmissionFields = Omit<Parameters<typeof normaliseSubmission>[0], 'title'>

const ADA = { id: 'ada', name: 'Ada', email: 'Ada@Example.com' }
const BOB = { email: 'bob@example.com' }
const CONTEXT = { page: 'https://app.example/settings', width: 390, isOnline: false }

/** Who reported an issue, and where. */
export function describeReporters(stage: StorageStage): void {
  const { addProject } = stage
  const command = { lanes: ['open', 'security'], actor: null, at: NOW + 1 } as const

  function reportOf(project: ProjectRecord, fields: SubmissionFields): NewReport {
    return reportFor(project, { content: normaliseSubmission({ title: 'Blank', ...fields }) })
  }

  async function report(project: ProjectRecord, fields: SubmissionFields): Promise<IssueId> {
    const sent = reportOf(project, fields)
    await stage.storage.issues.submit(sent)
    return sent.issueId
  }

  async function find(
    project: ProjectRecord,
    reporters: readonly string[],
    lanes: readonly Lane[] = ['open'],
  ): Promise<readonly number[]> {
    const selection = { ...everyIssue(project.id, lanes), reporters: reporterValues(reporters) }
    const listing = { selection, sort: 'oldest', start: { offset: 0 }, limit: 100 } as const
    const { issues } = await stage.storage.issues.list(listing)
    const byPriority = await stage.storage.issues.list({ ...listing, sort: 'priority' })
    expect(byPriority.issues).toHaveLength(issues.length)
    expect(await stage.storage.issues.count(selection)).toBe(issues.length)
    const byStatus = await stage.storage.issues.countByStatus(selection)
    expect(Object.values(byStatus).reduce((sum: number, count) => sum + (count ?? 0), 0)).toBe(issues.length)
    return issues.map(({ issueNumber }) => issueNumber)
  }

  async function issueOf(project: ProjectRecord, id: IssueId) {
    const issue = await stage.storage.issues.find(project.id, id)
    if (issue === undefined) throw new Error('the issue is gone')
    return issue
  }

  async function reportersOf(project: ProjectRecord, id: IssueId) {
    const issue = await issueOf(project, id)
    const listing = { issue, before: 1_000, limit: 1_000, isDistinct: false }
    const reports = await stage.storage.issues.listReports(listing)
    return reports.map(({ reporter }) => reporter?.id ?? reporter?.email ?? null)
  }

  /** Every issue is found by its reporters, and only by these, in its lane. */
  async function expectRecount(project: ProjectRecord): Promise<void> {
    const found = new Map<string, number[]>()
    for (const number of (await stage.numbersOf(project)).toSorted((one, other) => one - other)) {
      const issue = await stage.storage.issues.findByNumber(project.id, number)
      if (issue === undefined) throw new Error(`issue ${number} is gone`)
      const listing = { issue, before: 10_000, limit: 10_000, isDistinct: false }
      const reports = await stage.storage.issues.listReports(listing)
      const people = new Set(reports.flatMap(({ reporter }) => identityOf(reporter) ?? []))
      expect(issue.reporterCount).toBe(Math.min(people.size, MAX_COUNTED_REPORTERS))
      for (const one of people) found.set(one, [...(found.get(one) ?? []), number])
    }
    // The oldest: those after the limit are not counted.
    for (const [one, numbers] of Array.from(found).slice(-20))
      expect(await find(project, [one], ['open', 'security'])).toEqual(numbers)
  }

  describe('reporters', () => {
    it('find the issues that they have reported, by id and by email address', async () => {
      const project = await addProject('weather')
      const other = await addProject('other')
      await report(project, { reporter: ADA })
      await report(project, { reporter: BOB, fingerprint: 'f' })
      await report(project, { reporter: ADA, fingerprint: 'f' })
      await report(project, { reporter: { id: 'ada', email: 'ada@home.example' } })
      await report(project, { reporter: { name: 'ada' } })
      await report(project, {})
      await report(other, { reporter: ADA })
      expect(await find(project, ['ada'])).toEqual([1, 2, 3])
      expect(await find(project, ['ADA@example.com'])).toEqual([1, 2])
      expect(await find(project, ['bob@example.com'])).toEqual([2])
      expect(await find(project, ['ada', 'bob@example.com', 'nobody'])).toEqual([1, 2, 3])
      expect(await find(project, ['Ada'])).toEqual([1, 2, 3])
      expect(await find(project, ['nobody'])).toEqual([])
      await expectRecount(project)
    })

    it('are combined with other filters and with a search', async () => {
      const project = await addProject('weather')
      const mine = await report(project, { reporter: ADA, platform: 'ios' })
      await report(project, { reporter: ADA, platform: 'web' })
      await report(project, { reporter: BOB, platform: 'ios' })
      const selection = { ...everyIssue(project.id, ['open']), reporters: ['ada'], platforms: ['ios'] }
      const search = [{ tokens: ['blank'], isPrefix: false }]
      for (const more of [{}, { search }, { statuses: ['open'] as const, search }]) {
        const listing = {
          selection: { ...selection, ...more },
          sort: 'updated',
          start: { offset: 0 },
        } as const
        const { issues } = await stage.storage.issues.list({ ...listing, limit: 10 })
        expect(issues.map(({ id }) => id)).toEqual([mine])
        expect(await stage.storage.issues.count({ ...selection, ...more })).toBe(1)
      }
    })

    it('are counted once each, also if their reports arrive together', async () => {
      const project = await addProject('weather')
      const people = [ADA, BOB, ADA, { name: 'Someone' }, { email: 'BOB@example.com' }, { id: 'c' }, null]
      const sent = people.map((reporter) => reportOf(project, { reporter, fingerprint: 'f' }))
      await Promise.all(sent.map((one) => stage.storage.issues.submit(one)))
      const [first] = sent
      const issueId = first?.issueId ?? 'iss_'
      expect(await issueOf(project, issueId)).toMatchObject({ reportCount: 7, reporterCount: 3 })
      await report(project, { reporter: { id: 'c' }, fingerprint: 'f' })
      await report(project, { reporter: { id: 'd' }, fingerprint: 'f' })
      expect(await issueOf(project, issueId)).toMatchObject({ reportCount: 9, reporterCount: 4 })
      await expectRecount(project)
    })

    it('are counted up to a limit', async () => {
      const project = await addProject('weather')
      const issueId = await report(project, { reporter: { id: 'p0' }, fingerprint: 'f' })
      const sent = Array.from({ length: MAX_COUNTED_REPORTERS + 20 }, (_, n) =>
        reportOf(project, { reporter: { id: `p${n}` }, fingerprint: 'f' }),
      )
      await Promise.all(sent.map((one) => stage.storage.issues.submit(one)))
      const { reporterCount } = await issueOf(project, issueId)
      expect(reporterCount).toBe(MAX_COUNTED_REPORTERS)
      const last = { projectId: project.id, issueId, ...command, reportNumber: sent.length + 1 }
      await stage.storage.issues.deleteReport(last)
      expect(await issueOf(project, issueId)).toMatchObject({ reporterCount })
      await expectRecount(project)
    })

    it('move to the lane of their issue, and are deleted with it', async () => {
      const project = await addProject('weather')
      const issueId = await report(project, { reporter: ADA, fingerprint: 'f' })
      await report(project, { reporter: BOB, fingerprint: 'f' })
      const change = { projectId: project.id, issueId, ...command, ifVersions: null }
      await stage.storage.issues.change({ ...change, patch: { category: 'security' } })
      expect(await find(project, ['ada'])).toEqual([])
      expect(await find(project, ['ada'], ['open', 'security'])).toEqual([1])
      await expectRecount(project)
      await stage.storage.issues.change({ ...change, patch: { category: 'bug' } })
      expect(await find(project, ['bob@example.com'])).toEqual([1])
      for (let n = 0; n < 60; n++) await report(project, { reporter: { id: `${n}` }, fingerprint: 'f' })
      await stage.storage.issues.delete({ projectId: project.id, issueId, ...command })
      expect(await find(project, ['ada'])).toEqual([])
      while (await stage.storage.issues.removeDeleted()) {}
      await expectRecount(project)
    })

    it('leave with their last report', async () => {
      const project = await addProject('weather')
      const issueId = await report(project, { reporter: ADA, fingerprint: 'f' })
      await report(project, { reporter: BOB, fingerprint: 'f' })
      await report(project, { reporter: { id: 'ada', email: 'ada@home.example' }, fingerprint: 'f' })
      await report(project, { reporter: BOB, fingerprint: 'f' })
      const remove = { projectId: project.id, issueId, ...command }
      expect(await stage.storage.issues.deleteReport({ ...remove, reportNumber: 2 })).toBe('done')
      expect(await issueOf(project, issueId)).toMatchObject({ reporterCount: 2 })
      expect(await find(project, ['bob@example.com'])).toEqual([1])
      expect(await stage.storage.issues.redactReport({ ...remove, reportNumber: 4 })).toBe('done')
      expect(await issueOf(project, issueId)).toMatchObject({ reporterCount: 1 })
      expect(await find(project, ['bob@example.com'])).toEqual([])
      // The address of the redacted report no longer finds anything, but the id of the other one does.
      expect(await stage.storage.issues.redactReport({ ...remove, reportNumber: 1 })).toBe('done')
      expect(await find(project, ['ada@example.com'])).toEqual([])
      expect(await find(project, ['ada'])).toEqual([1])
      expect(await reportersOf(project, issueId)).toEqual([null, 'ada', null])
      await expectRecount(project)
    })
  })

  it('a redacted report has no context and no reporter', async () => {
    const project = await addProject('weather')
    const fields = { reporter: ADA, context: CONTEXT, metadata: { a: 1 }, fingerprint: 'f' }
    const issueId = await report(project, fields)
    await report(project, fields)
    const read = async () => {
      const issue = await issueOf(project, issueId)
      const listing = { issue, before: 10, limit: 10, isDistinct: false }
      const reports = await stage.storage.issues.listReports(listing)
      return [issue, ...reports].map(({ context, reporter, metadata }) => ({ context, reporter, metadata }))
    }
    const full = { context: CONTEXT, reporter: ADA, metadata: { a: 1 } }
    const none = { context: null, reporter: null, metadata: null }
    expect(await read()).toEqual([full, full, full])
    const remove = { projectId: project.id, issueId, ...command }
    await stage.storage.issues.redactReport({ ...remove, reportNumber: 2 })
    expect(await read()).toEqual([full, none, full])
    await stage.storage.issues.redactReport({ ...remove, reportNumber: 1 })
    expect(await read()).toEqual([none, none, none])
    expect(await issueOf(project, issueId)).toMatchObject({ reporterCount: 0 })
    await expectRecount(project)
  })
}
