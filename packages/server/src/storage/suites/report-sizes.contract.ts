import { describe, expect, it } from 'vitest'
import { addProject } from '../../../test-support/plain-reports.ts'
import { reportFor } from '../../../test-support/storage-stage.ts'
import type { IssueId } from '../../model/ids.ts'
import type { ProjectRecord } from '../../model/projects.ts'
import { FIRST_TEXTS_KEPT, LATEST_TEXTS_KEPT } from '../../model/reports/report-texts.ts'
import { normaliseSubmission } from '../../model/reports/reports.ts'
import type { Storage } from '../storage.ts'
import type { TablesStage } from './tables.contract.ts'

/** A stack of the maximum length. */
const STACK = Array.from({ length: 400 }, (_, line) => `    at draw (app/screen-${line}.js:${line}:12)`).join(
  '\n',
)
/** Reports that are sent together. */
const TOGETHER = 1_000
/** More than a report with its event takes, and much less than a stack. */
const MAX_REPORT_BYTES = 1_000

interface Counts {
  /** Reports with one stack. */
  readonly equal: number
  /** Reports with a different stack each. */
  readonly different: number
}

/** How much the reports of a crash store. `measure` returns the size of the database. */
export function describeReportSizes(
  name: string,
  open: () => Promise<TablesStage>,
  measure: (stage: TablesStage) => Promise<number>,
  { equal, different }: Counts,
): void {
  describe(`a crash: ${name}`, () => {
    it(`reported ${equal} times with one stack stores the stack once`, async () => {
      await using stage = await open()
      const project = await addProject(stage.storage)
      await submitAll(stage.storage, project, 1, () => STACK)
      const before = await measure(stage)
      await submitAll(stage.storage, project, equal - 1, () => STACK)
      expect(await countChars(stage)).toBe(STACK.length)
      const perReport = ((await measure(stage)) - before) / equal
      expect(perReport).toBeLessThan(MAX_REPORT_BYTES)
      expect(perReport).toBeGreaterThan(0)
    })

    it(`reported with ${different} different stacks keeps some of them, and records that`, async () => {
      await using stage = await open()
      const project = await addProject(stage.storage)
      const issueId = await submitAll(stage.storage, project, different, (number) => `${number}\n${STACK}`)
      const kept = FIRST_TEXTS_KEPT + LATEST_TEXTS_KEPT
      expect((await countChars(stage)) / STACK.length).toBeLessThan(kept + 1)
      const issue = await stage.storage.issues.find(project.id, issueId)
      if (issue === undefined) throw new Error('the issue is gone')
      expect(issue.reportCount).toBe(different)
      const omitted: (string | null)[] = []
      for (let before = different + 1; before > 1; before -= 500) {
        const listing = { issue, before, limit: 500, isDistinct: false }
        const reports = await stage.storage.issues.listReports(listing)
        omitted.push(...reports.slice(0, 500).map(({ textOmitted }) => textOmitted))
      }
      expect(omitted.filter((reason) => reason === 'limit')).toHaveLength(different - kept)
      expect(omitted.filter((reason) => reason === null)).toHaveLength(kept)
    })
  })
}

async function submitAll(
  storage: Storage,
  project: ProjectRecord,
  count: number,
  stackOf: (number: number) => string,
): Promise<IssueId> {
  let issueId: IssueId | undefined
  for (let sent = 0; sent < count; sent += TOGETHER) {
    const size = Math.min(TOGETHER, count - sent)
    const outcomes = await Promise.all(
      Array.from({ length: size }, (_, index) => {
        const submission = {
          title: 'TypeError',
          description: stackOf(sent + index),
          category: 'crash',
        } as const
        const content = normaliseSubmission({ ...submission, fingerprint: 'crash' })
        return storage.issues.submit(reportFor(project, { content, receivedAt: Date.now() }))
      }),
    )
    for (const outcome of outcomes) if ('receipt' in outcome) issueId ??= outcome.receipt.issueId
  }
  if (issueId === undefined) throw new Error('nothing was stored')
  return issueId
}

/** The descriptions that are stored, of issues and of reports. */
async function countChars({ query }: TablesStage): Promise<number> {
  const [row] = await query(`SELECT (SELECT coalesce(sum(length(description)), 0) FROM issues)
    + (SELECT coalesce(sum(length(description)), 0) FROM report_texts) AS chars`)
  return Number((row as { chars: unknown }).chars)
}
