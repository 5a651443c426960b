import { describe, expect, it } from 'vitest'
import type { StorageStage } from '../../../test-support/storage-stage.ts'
import { storedReports } from '../../../test-support/stored-reports.ts'

/** Searches cover the texts of all reports of an issue, up to limits. */
export function describeReportSearch(stage: StorageStage): void {
  const { addProject } = stage
  const { report, change, find } = storedReports(stage)

  describe('a search', () => {
    it('finds an issue by words that only a later reporter used', async () => {
      const project = await addProject('weather')
      await report(project, { title: 'Blank settings', description: 'Nothing to see' })
      await report(project, { title: 'Blank settings', description: 'Only a white page' })
      expect(await find(project, 'flamingo')).toEqual([])
      await report(project, { title: 'The screen', description: 'shows a pink flamingo, then “nothing”' })
      await report(project, { title: 'Unrelated', fingerprint: 'other' })
      expect(await find(project, 'flamingo')).toEqual([1])
      expect(await find(project, 'flam*')).toEqual([1])
      expect(await find(project, '"pink flamingo"')).toEqual([1])
      // All words of a search are in the issue, but not in one of its texts.
      expect(await find(project, 'blank flamingo white')).toEqual([1])
      // The end of one text and the beginning of the next are no phrase.
      expect(await find(project, '"white page the screen"')).toEqual([])
      expect(await find(project, '"see blank"')).toEqual([])
      expect(await find(project, '"screen shows"')).toEqual([])
    })

    it('covers only the first texts of an issue', async () => {
      const project = await addProject('weather')
      for (let number = 1; number <= 52; number++) await report(project, { title: `Text word${number}` })
      expect(await find(project, 'word1')).toEqual([1])
      expect(await find(project, 'word50')).toEqual([1])
      expect(await find(project, 'word51')).toEqual([])
    })

    it('covers a limited number of words, however long the texts are', async () => {
      const project = await addProject('weather')
      await report(project, { title: 'Short' })
      const long = (mark: string) => `${mark} ${'漢字 '.repeat(3_000)}`
      for (const mark of ['alpha', 'beta', 'gamma'])
        await report(project, { title: mark, description: long(mark) })
      await report(project, { title: 'delta' })
      expect(await find(project, 'alpha')).toEqual([1])
      expect(await find(project, 'gamma')).toEqual([])
      expect(await find(project, 'delta')).toEqual([1])
    })

    it('does not find the words of hidden reports', async () => {
      const project = await addProject('weather')
      const { issueId } = await report(project, { title: 'Blank' })
      await report(project, { title: 'Flamingo' })
      await change(project, issueId, { category: 'security' })
      expect(await find(project, 'flamingo')).toEqual([])
      await change(project, issueId, { category: 'bug' })
      expect(await find(project, 'flamingo')).toEqual([1])
    })
  })
}
