import { ISSUE_SORTS } from '@bugle/contract/vocabulary'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addProject, plainReport } from '../../../test-support/plain-reports.ts'
import { everyIssue } from '../../model/issue-lists.ts'
import type { ProjectRecord } from '../../model/projects.ts'
import { parseSearch } from '../../model/search/search-query.ts'
import type { Storage } from '../storage.ts'

/** Only the newest issues contain this word: judging by those, all issues do. */
const RECENT_WORD = 'zebra'
const RECENT_SHARE = 0.25
const HIDDEN = 300
const BATCH = 500

const SEARCHES = [
  'zebra',
  'zeb*',
  'ze* scr*',
  'scr*',
  '"striped zeb"*',
  '"striped zebra"',
  'missing*',
  'okap*',
]

/** For callers who do not see the security lane, a search gives the same results whether the lane is empty or not. */
export function describeHiddenMatches(
  name: string,
  open: () => Promise<Storage & AsyncDisposable>,
  issues: number,
): void {
  describe(`hidden matches: ${name}`, { timeout: 300_000 }, () => {
    let storage: Storage & AsyncDisposable
    let project: ProjectRecord

    beforeAll(async () => {
      storage = await open()
      project = await addProject(storage)
      const recent = Math.floor(issues * RECENT_SHARE)
      await submit(issues - recent, 'Blank screen', 'bug')
      await submit(recent, `Screen of a striped ${RECENT_WORD}`, 'bug')
    }, 120_000)
    afterAll(() => storage[Symbol.asyncDispose]())

    async function submit(count: number, title: string, category: 'bug' | 'security'): Promise<void> {
      for (let stored = 0; stored < count; stored += BATCH) {
        await Promise.all(
          Array.from({ length: Math.min(BATCH, count - stored) }, () => {
            const report = plainReport(project)
            const lanes = ['open', 'security'] as const
            return storage.issues.submit({
              ...report,
              lanes,
              content: { ...report.content, title, category },
            })
          }),
        )
      }
    }

    async function show(q: string) {
      const selection = { ...everyIssue(project.id, ['open']), search: parseSearch(q) }
      const pages = ISSUE_SORTS.map(async (sort) => {
        const listing = { selection, sort, start: { offset: 0 }, limit: 50 } as const
        const { issues: shown, ...rest } = await storage.issues.list(listing)
        return { sort, shown: shown.map(({ issueNumber }) => issueNumber), ...rest }
      })
      const byStatus = await storage.issues.countByStatus(selection)
      const totalCount = await storage.issues.count(selection)
      return { q, totalCount, byStatus, pages: await Promise.all(pages) }
    }

    it('change neither a count nor a page', async () => {
      const showAll = async () => {
        const shown = []
        for (const q of SEARCHES) shown.push(await show(q))
        return shown
      }
      const before = await showAll()
      await submit(HIDDEN, `Hole behind the ${RECENT_WORD} screen of an okapi`, 'security')
      expect(await showAll()).toEqual(before)
      // Also after they have been indexed.
      await new Promise((resolve) => setTimeout(resolve, 1_200))
      expect(await showAll()).toEqual(before)
    })
  })
}
