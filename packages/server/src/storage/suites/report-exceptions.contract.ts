import { describe, expect, it } from 'vitest'
import { NOW, reportFor, type StorageStage } from '../../../test-support/storage-stage.ts'
import { storeExceptions } from '../../model/crashes/report-exceptions.ts'
import type { IssueId } from '../../model/ids.ts'
import type { ProjectRecord } from '../../model/projects.ts'
import { type NewReport, normaliseSubmission, type ReportRecord } from '../../model/reports/reports.ts'

const FIRST = storeExceptions([{ type: 'FirstError', value: 'one', stack: '    at a (/app/a.js:1:2)' }])
const SECOND = storeExceptions([{ type: 'SecondError', value: 'two \u{1f41e}' }])

/** The exceptions of reports: once for each text. */
export function describeReportExceptions(stage: StorageStage): void {
  const { addProject } = stage

  function crash(project: ProjectRecord, title: string, exception?: string): NewReport {
    const content = normaliseSubmission({ title, fingerprint: 'same', category: 'crash' })
    return reportFor(project, { content, ...(exception !== undefined && { exception }) })
  }

  async function submit(project: ProjectRecord, title: string, exception?: string): Promise<IssueId> {
    const report = crash(project, title, exception)
    await stage.storage.issues.submit(report)
    return report.issueId
  }

  async function listReports(
    project: ProjectRecord,
    id: IssueId,
    more: { readonly isDistinct?: boolean; readonly maxChars?: number } = {},
  ): Promise<readonly ReportRecord[]> {
    const issue = await stage.storage.issues.find(project.id, id)
    if (issue === undefined) throw new Error('the issue is gone')
    const reports = await stage.storage.issues.listReports({
      ...{ issue, before: 1_000_000, limit: 100, isDistinct: false },
      ...more,
    })
    for (const report of more.maxChars === undefined ? reports : [])
      expect(await stage.storage.issues.findReport(issue, report.id)).toEqual(report)
    return reports
  }

  async function exceptionsOf(...args: Parameters<typeof listReports>): Promise<readonly (string | null)[]> {
    return (await listReports(...args)).map(({ exception }) => exception)
  }

  function commandFor(project: ProjectRecord, issueId: IssueId, reportNumber: number) {
    const place = { projectId: project.id, issueId, lanes: ['open'] as const, reportNumber }
    return { ...place, actor: null, at: NOW + 9 }
  }

  describe('exceptions of reports', () => {
    it('are stored with the text that they are part of, also if reports arrive together', async () => {
      const project = await addProject('weather')
      const reports = [
        crash(project, 'A', FIRST),
        crash(project, 'A', FIRST),
        crash(project, 'B', SECOND),
        crash(project, 'C'),
        crash(project, 'B', SECOND),
      ]
      await Promise.all(reports.map((report) => stage.storage.issues.submit(report)))
      const { issueId } = reports[0] as NewReport
      expect(await exceptionsOf(project, issueId)).toEqual([SECOND, null, SECOND, FIRST, FIRST])
      expect(await exceptionsOf(project, issueId, { isDistinct: true })).toEqual([null, SECOND, FIRST])
      // Without texts.
      expect(await exceptionsOf(project, issueId, { maxChars: 0 })).toEqual([null, null, null, null, null])
      // A page ends soon after this many characters; each counts as up to four bytes.
      expect(await exceptionsOf(project, issueId, { maxChars: 1 })).toHaveLength(2)
    })

    it('stay after the issue was edited', async () => {
      const project = await addProject('weather')
      const issueId = await submit(project, 'A', FIRST)
      const { reportNumber: _, ...rest } = commandFor(project, issueId, 1)
      await stage.storage.issues.change({ ...rest, patch: { title: 'Edited' }, ifVersions: null })
      await submit(project, 'A', FIRST)
      expect(await exceptionsOf(project, issueId)).toEqual([FIRST, FIRST])
    })

    it('are removed with the words of a redacted text, from every report that has it', async () => {
      const project = await addProject('weather')
      const issueId = await submit(project, 'A', FIRST)
      for (const title of ['B', 'B', 'A']) await submit(project, title, title === 'A' ? FIRST : SECOND)
      await stage.storage.issues.redactReport(commandFor(project, issueId, 2))
      expect(await exceptionsOf(project, issueId)).toEqual([FIRST, null, null, FIRST])
      await stage.storage.issues.redactReport(commandFor(project, issueId, 4))
      expect(await exceptionsOf(project, issueId)).toEqual([null, null, null, null])
      // The same text again is redacted too.
      await submit(project, 'A', FIRST)
      expect(await exceptionsOf(project, issueId)).toEqual([null, null, null, null, null])
    })

    it('are deleted with the last report that has the text, and with the issue', async () => {
      const project = await addProject('weather')
      const issueId = await submit(project, 'A', FIRST)
      for (const title of ['B', 'B']) await submit(project, title, SECOND)
      await stage.storage.issues.deleteReport(commandFor(project, issueId, 2))
      expect(await exceptionsOf(project, issueId)).toEqual([SECOND, FIRST])
      await stage.storage.issues.deleteReport(commandFor(project, issueId, 3))
      expect(await exceptionsOf(project, issueId)).toEqual([FIRST])
      // Another text may get the number of the deleted one.
      await submit(project, 'C')
      expect(await exceptionsOf(project, issueId)).toEqual([null, FIRST])
      const { reportNumber: _, ...rest } = commandFor(project, issueId, 1)
      expect(await stage.storage.issues.delete(rest)).toBe('deleted')
      const next = await submit(project, 'A')
      expect(await exceptionsOf(project, next)).toEqual([null])
    })
  })
}
