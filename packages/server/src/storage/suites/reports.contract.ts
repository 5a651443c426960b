import { describe, expect, it } from 'vitest'
import { readFiles, recount } from '../../../test-support/recount.ts'
import { NOW, reportFor, type StorageStage, submission } from '../../../test-support/storage-stage.ts'
import { storedReports } from '../../../test-support/stored-reports.ts'
import type { IssueId } from '../../model/ids.ts'
import type { ProjectRecord } from '../../model/projects.ts'
import { FIRST_TEXTS_KEPT, LATEST_TEXTS_KEPT } from '../../model/reports/report-texts.ts'
import { normaliseSubmission, type ReportRecord, reportIdOf } from '../../model/reports/reports.ts'

/** What is stored for each report of an issue. */
export function describeReports(stage: StorageStage): void {
  const { addProject } = stage
  const { report, issueOf, reportsOf, change, find } = storedReports(stage)
  const words = ({ title, description, textNumber }: ReportRecord) => [title, description, textNumber]

  describe('reports', () => {
    it('keep everything that was submitted, newest first', async () => {
      const project = await addProject('weather')
      const first = await report(
        project,
        { title: 'Blank', metadata: { a: 1 } },
        { submission: submission('one') },
      )
      const second = await report(
        project,
        {
          title: 'Nothing on the screen',
          description: 'Just \u{1f937} white',
          metadata: { channel: 'beta', free: 1.5, isPro: true },
          sdk: { name: '@bugle/sdk', version: '0.2.0' },
          appVersion: '2.4.1',
          buildNumber: '512',
          osVersion: 'iOS 26.1',
          deviceModel: 'iPhone 17',
          platform: 'ios',
          branch: 'main',
          occurredAt: '2026-11-14T00:00:00Z',
        },
        { receivedAt: NOW + 5, submission: submission('three') },
      )
      const { category: _, priority: __, fingerprint: ___, ...content } = second.content
      const [newest, oldest, ...others] = await reportsOf(project, first.issueId)
      expect(others).toEqual([])
      expect(newest).toEqual({
        ...content,
        id: reportIdOf(second.issueId),
        reportNumber: 2,
        receivedAt: NOW + 5,
        submissionId: 'three',
        textNumber: 2,
        textOmitted: null,
        exception: null,
      })
      expect(oldest).toMatchObject({
        id: reportIdOf(first.issueId),
        reportNumber: 1,
        title: 'Blank',
        metadata: { a: 1 },
        submissionId: 'one',
        textNumber: 1,
        textOmitted: null,
      })
      const issue = await issueOf(project, first.issueId)
      for (const known of [newest, oldest]) {
        if (known === undefined) throw new Error('a report is missing')
        expect(await stage.storage.issues.findReport(issue, known.id)).toEqual(known)
      }
      const other = await report(project, { title: 'Other', fingerprint: 'other' })
      expect(await stage.storage.issues.findReport(issue, reportIdOf(other.issueId))).toBeUndefined()
    })

    it('share equal texts, also if they arrive together', async () => {
      const project = await addProject('weather')
      const titles = ['A', 'B', 'A', 'B', 'C', 'A', 'C', 'B']
      const sent = titles.map((title) =>
        reportFor(project, {
          content: normaliseSubmission({ title, description: 'd', fingerprint: 'same' }),
        }),
      )
      await Promise.all(sent.map((one) => stage.storage.issues.submit(one)))
      await report(project, { title: 'C', description: 'd' })
      // The same words, but not in the same places.
      await report(project, { title: 'C d' })
      const id = sent[0]?.issueId as IssueId
      const reports = (await reportsOf(project, id)).toReversed()
      expect(reports.map(({ title }) => title)).toEqual([...titles, 'C', 'C d'])
      expect(reports.map(({ textNumber }) => textNumber)).toEqual([1, 2, 1, 2, 3, 1, 3, 2, 3, 4])
      const distinct = await reportsOf(project, id, { isDistinct: true })
      expect(distinct.map(({ reportNumber }) => reportNumber)).toEqual([10, 5, 2, 1])
    })

    it('are listed by page, each once', async () => {
      const project = await addProject('weather')
      const { issueId } = await report(project, { title: 'Text 1' })
      for (let number = 2; number <= 7; number++)
        await report(project, { title: `Text ${Math.ceil(number / 2)}` })
      const issue = await issueOf(project, issueId)
      const listAll = async (isDistinct: boolean, placeOf: (report: ReportRecord) => number | null) => {
        const seen: number[] = []
        for (let before = 1_000; ; ) {
          const page = await stage.storage.issues.listReports({ issue, before, limit: 2, isDistinct })
          seen.push(...page.map(({ reportNumber }) => reportNumber))
          const last = page.at(-1)
          if (last === undefined) return seen
          before = placeOf(last) ?? 0
        }
      }
      expect(await listAll(false, ({ reportNumber }) => reportNumber)).toEqual([7, 6, 5, 4, 3, 2, 1])
      expect(await listAll(true, ({ textNumber }) => textNumber)).toEqual([7, 5, 3, 1])
    })

    it('are read only until there is enough text for a page', async () => {
      const project = await addProject('weather')
      const { issueId } = await report(project, { title: 'Text 1' })
      for (let number = 2; number <= 9; number++) {
        const fields = {
          title: `Text ${number}`,
          description: 'ab'.repeat(500),
          metadata: { key: 'c'.repeat(1_000) },
        }
        await report(project, fields)
      }
      const issue = await issueOf(project, issueId)
      const list = async (isDistinct: boolean, maxChars: number, before = 1_000) => {
        const listing = { issue, before, limit: 100, isDistinct, maxChars }
        return stage.storage.issues.listReports(listing)
      }
      for (const isDistinct of [false, true]) {
        const numbers = async (maxChars: number, before?: number) =>
          (await list(isDistinct, maxChars, before)).map(({ reportNumber }) => reportNumber)
        // Bytes are compared with four times as many characters.
        expect(await numbers(1_500)).toEqual([9, 8, 7])
        expect(await numbers(1)).toEqual([9, 8])
        expect(await numbers(1, 3)).toEqual([2, 1])
        expect(await numbers(10_000)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1])
        const short = await list(isDistinct, 0)
        expect(short.map(({ reportNumber }) => reportNumber)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1])
        expect(short[0]).toMatchObject({ description: null, metadata: null, textOmitted: null })
      }
    })

    it('keep their texts when the issue is edited', async () => {
      const project = await addProject('weather')
      const { issueId } = await report(project, { title: 'Blank', description: 'My password is hunter2' })
      await report(project, { title: 'Blank', description: 'My password is hunter2' })
      await change(project, issueId, { description: 'Removed' })
      await change(project, issueId, { title: 'Blank settings' })
      await report(project, { title: 'Blank', description: 'My password is hunter2' })
      await report(project, { title: 'Blank settings', description: 'Removed' })
      expect((await reportsOf(project, issueId)).map(words)).toEqual([
        ['Blank settings', 'Removed', 2],
        ['Blank', 'My password is hunter2', 1],
        ['Blank', 'My password is hunter2', 1],
        ['Blank', 'My password is hunter2', 1],
      ])
      expect(await find(project, 'hunter2')).toEqual([1])
      expect(await find(project, 'settings')).toEqual([1])
    })

    it('of a crash keep the first and the latest texts, and show which are missing', async () => {
      const project = await addProject('weather')
      const count = FIRST_TEXTS_KEPT + LATEST_TEXTS_KEPT + 50
      const titles = Array.from({ length: count }, (_, index) => `Crash ${index + 1}`)
      const sent = titles.map((title) =>
        reportFor(project, { content: normaliseSubmission({ title, fingerprint: 'f', category: 'crash' }) }),
      )
      await Promise.all(sent.map((one) => stage.storage.issues.submit(one)))
      const reports = (await reportsOf(project, sent[0]?.issueId as IssueId)).toReversed()
      expect(reports).toHaveLength(count)
      const isKept = (index: number) => index < FIRST_TEXTS_KEPT || index >= count - LATEST_TEXTS_KEPT
      expect(reports.map(({ title, textOmitted }) => [title, textOmitted])).toEqual(
        titles.map((title, index) => (isKept(index) ? [title, null] : [null, 'limit'])),
      )
    })
  })

  describe('one report', () => {
    const commandFor = (project: ProjectRecord, issueId: IssueId, reportNumber: number) => ({
      projectId: project.id,
      issueId,
      reportNumber,
      lanes: ['open'] as const,
      actor: null,
      at: NOW + 9,
    })
    const deleteReport = (project: ProjectRecord, issueId: IssueId, number: number) =>
      stage.storage.issues.deleteReport(commandFor(project, issueId, number))
    const redactReport = (project: ProjectRecord, issueId: IssueId, number: number) =>
      stage.storage.issues.redactReport(commandFor(project, issueId, number))
    const lastChange = async (project: ProjectRecord, issueId: IssueId) => {
      const issue = await issueOf(project, issueId)
      const listing = { issue, lanes: ['open'] as const, afterPosition: 0, limit: 100 }
      return (await stage.storage.issues.listEvents(listing)).at(-1)?.changes
    }

    it('is deleted with its text and its counts, and its number is not reused', async () => {
      const project = await addProject('weather')
      const { issueId } = await report(project, { title: 'Blank', appVersion: '1.0' })
      await report(project, { title: 'Blank', appVersion: '1.1' }, { receivedAt: NOW + 1 })
      const third = { title: 'Flamingo', appVersion: '1.2', buildNumber: '3', branch: 'main' }
      const named = { receivedAt: NOW + 2, submission: submission('three') }
      const sent = await report(project, third, named)
      const before = await stage.storage.stats.read(project.id, ['open'])
      expect(await deleteReport(project, issueId, 3)).toBe('done')
      expect(await deleteReport(project, issueId, 3)).toBe('missing')
      expect(await find(project, 'flamingo')).toEqual([])
      expect(await issueOf(project, issueId)).toMatchObject({
        reportCount: 2,
        lastReportedAt: NOW + 1,
        lastSeenIn: { appVersion: '1.1', buildNumber: null },
        reportWords: 0,
        version: 2,
      })
      expect(await lastChange(project, issueId)).toEqual([{ member: 'report', from: 3, to: 'deleted' }])
      const versions = await stage.storage.seenValues.list(project.id, ['open'], ['version', 'branch'])
      expect(
        versions
          .filter(({ reports }) => reports > 0)
          .map(({ value }) => value)
          .sort(),
      ).toEqual(['1.0', '1.1'])
      const after = await stage.storage.stats.read(project.id, ['open'])
      expect(after).not.toEqual(before)
      // The submission is not stored again, and its response is the same.
      const again = await stage.storage.issues.submit({ ...sent, issueId: reportFor(project).issueId })
      expect(again).toMatchObject({ kind: 'replayed', receipt: { receivedAt: NOW + 2, reportCount: 3 } })
      await report(project, { title: 'Next' }, { submission: submission('fourth') })
      const reports = await reportsOf(project, issueId)
      expect(reports.map(({ reportNumber, title }) => [reportNumber, title])).toEqual([
        [4, 'Next'],
        [2, 'Blank'],
        [1, 'Blank'],
      ])
      const replayed = await stage.storage.issues.submit(
        reportFor(project, {
          content: normaliseSubmission({ fingerprint: 'same', title: 'Next' }),
          submission: submission('fourth'),
          receivedAt: NOW + 50,
        }),
      )
      expect(replayed).toMatchObject({ kind: 'replayed', receipt: { receivedAt: NOW, reportCount: 3 } })
    })

    it('keeps its text if another report has the same', async () => {
      const project = await addProject('weather')
      const { issueId } = await report(project, { title: 'Blank' })
      for (let count = 0; count < 3; count++) await report(project, { title: 'Flamingo' })
      const numbers = async () => (await reportsOf(project, issueId)).map(({ reportNumber }) => reportNumber)
      const distinct = async () =>
        (await reportsOf(project, issueId, { isDistinct: true })).map(({ reportNumber }) => reportNumber)
      await deleteReport(project, issueId, 2)
      expect([await numbers(), await distinct()]).toEqual([
        [4, 3, 1],
        [3, 1],
      ])
      await deleteReport(project, issueId, 4)
      expect(await find(project, 'flamingo')).toEqual([1])
      await deleteReport(project, issueId, 3)
      expect([await numbers(), await distinct(), await find(project, 'flamingo')]).toEqual([[1], [1], []])
    })

    it('can make a later one the first with its text, and no text is skipped between pages', async () => {
      const project = await addProject('weather')
      const { issueId } = await report(project, { title: 'Text 1' })
      for (const text of [2, 3, 2]) await report(project, { title: `Text ${text}` })
      await deleteReport(project, issueId, 2)
      const issue = await issueOf(project, issueId)
      const titles: (string | null)[] = []
      for (let before = 1_000; before > 1; ) {
        // A page of one, and whether there are more.
        const [next] = await stage.storage.issues.listReports({ issue, before, limit: 2, isDistinct: true })
        titles.push(next?.title ?? null)
        before = next?.textNumber ?? 0
      }
      expect(titles).toEqual(['Text 3', 'Text 2', 'Text 1'])
      const distinct = await reportsOf(project, issueId, { isDistinct: true })
      expect(distinct.map(({ textNumber }) => textNumber)).toEqual([3, 2, 1])
    })

    it('that created the issue is not deleted alone', async () => {
      const project = await addProject('weather')
      const { issueId } = await report(project, { title: 'Blank' })
      await report(project, { title: 'Blank' })
      expect(await deleteReport(project, issueId, 1)).toBe('first')
      expect(await deleteReport(project, issueId, 9)).toBe('missing')
      expect(await reportsOf(project, issueId)).toHaveLength(2)
      expect(await issueOf(project, issueId)).toMatchObject({ version: 1 })
    })

    it('is redacted, and so is every report with the same text, also a later one', async () => {
      const project = await addProject('weather')
      const { issueId } = await report(project, { title: 'Blank' })
      const secret = { title: 'My password is hunter2', metadata: { a: 1 } }
      await report(project, secret)
      await report(project, secret)
      expect(await find(project, 'hunter2')).toEqual([1])
      expect(await redactReport(project, issueId, 2)).toBe('done')
      await report(project, secret)
      const reports = await reportsOf(project, issueId)
      expect(reports.map(({ title, textOmitted, metadata }) => [title, textOmitted, metadata])).toEqual([
        [null, 'redacted', { a: 1 }],
        [null, 'redacted', { a: 1 }],
        [null, 'redacted', null],
        ['Blank', null, null],
      ])
      expect(await find(project, 'hunter2')).toEqual([])
      expect(await find(project, 'blank')).toEqual([1])
      expect(await lastChange(project, issueId)).toEqual([{ member: 'report', from: 2, to: 'redacted' }])
    })

    it('that created the issue is redacted, while the issue keeps its own title until it is changed', async () => {
      const project = await addProject('weather')
      const secret = { title: 'Blank', description: 'hunter2', metadata: { token: 'x' } }
      const { issueId } = await report(project, secret)
      await report(project, { title: 'Blank', description: 'hunter2' })
      expect(await redactReport(project, issueId, 1)).toBe('done')
      const expectRedacted = async () =>
        expect(
          (await reportsOf(project, issueId)).map(({ title, textOmitted }) => [title, textOmitted]),
        ).toEqual([
          [null, 'redacted'],
          [null, 'redacted'],
        ])
      await expectRedacted()
      expect(await issueOf(project, issueId)).toMatchObject({ description: 'hunter2', metadata: null })
      await change(project, issueId, { description: null })
      await expectRedacted()
      expect(await find(project, 'hunter2')).toEqual([])
    })

    it('has counters that match a recount', async () => {
      const project = await addProject('weather')
      const { issueId } = await report(project, { title: 'Blank', appVersion: '1.0' })
      for (const version of ['1.0', '1.1', '1.1', '1.2'])
        await report(project, {
          title: `Blank ${version}`,
          appVersion: version,
          buildNumber: '1',
          branch: 'b',
        })
      for (const number of [2, 4, 5]) expect(await deleteReport(project, issueId, number)).toBe('done')
      const files = await readFiles(stage.storage, project.id, [issueId])
      expect(files[0]?.reports).toHaveLength(2)
      const { counts } = await stage.storage.stats.read(project.id, ['open'])
      const { reports, reports_day: days } = recount(files)
      expect([counts.reports, counts.reports_day].map((values) => Object.fromEntries(values))).toEqual([
        reports,
        days,
      ])
    })
  })
}
