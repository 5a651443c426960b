import { describe, expect, it } from 'vitest'
import { fewAtATime } from '../../../test-support/few-at-a-time.ts'
import {
  contentOf,
  NOW,
  receiptOf,
  reportFor,
  type StorageStage,
} from '../../../test-support/storage-stage.ts'
import type { IssueId } from '../../model/ids.ts'
import type { ChangeOutcome, IssuePatch } from '../../model/issues.ts'
import type { ProjectRecord } from '../../model/projects.ts'
import type { NewReport } from '../../model/reports/reports.ts'

/** What is published, and which reports join it. */
export function describeKnownIssues(stage: StorageStage): void {
  const issues = () => stage.storage.issues

  async function submit(project: ProjectRecord, overrides: Partial<NewReport> = {}): Promise<IssueId> {
    return receiptOf(await issues().submit(reportFor(project, overrides))).issueId
  }

  function change(
    { id: projectId }: ProjectRecord,
    issueId: IssueId,
    patch: IssuePatch,
  ): Promise<ChangeOutcome> {
    const by = { lanes: ['open', 'security'] as const, ifVersions: null, actor: null, at: NOW }
    return issues().change({ projectId, issueId, patch, ...by })
  }

  async function publish(project: ProjectRecord, title: string): Promise<IssueId> {
    const id = await submit(project)
    expect(await change(project, id, { known: { title } })).toMatchObject({ kind: 'changed' })
    return id
  }

  async function search({ id }: ProjectRecord, text: string): Promise<readonly IssueId[]> {
    return (await stage.storage.knownIssues.search(id, text, 3)).map((known) => known.id)
  }

  const countOf = async (project: ProjectRecord, id: IssueId) =>
    (await issues().find(project.id, id))?.reportCount

  describe('known issues', () => {
    it('are found by their titles, in their own project, until they are unpublished', async () => {
      const [weather, maps] = [await stage.addProject('weather'), await stage.addProject('maps')]
      const rain = await publish(weather, 'Rain is missing')
      const route = await publish(maps, 'Rain on the route')
      await submit(weather)
      expect(await search(weather, 'rain')).toEqual([rain])
      expect(await search(maps, 'rain')).toEqual([route])
      await change(weather, rain, { title: 'Edited', known: { title: 'Snow is missing', text: 'Wait' } })
      expect(await search(weather, 'rain')).toEqual([])
      expect(await stage.storage.knownIssues.search(weather.id, 'snow missing', 3)).toEqual([
        { id: rain, issueNumber: 1, title: 'Snow is missing', text: 'Wait', status: 'open', fixedIn: null },
      ])
      await change(weather, rain, { known: null })
      expect(await search(weather, 'snow missing')).toEqual([])
    })

    it('are found among more titles than are read at once, in the order of how well they match', async () => {
      const project = await stage.addProject('weather')
      const stored = await fewAtATime(Array.from({ length: 420 }), async () =>
        receiptOf(await issues().submit(reportFor(project))),
      )
      await fewAtATime(stored, ({ issueId, issueNumber }) =>
        change(project, issueId, { known: { title: `Cloud number ${issueNumber} of the sky` } }),
      )
      const ids = new Map(stored.map(({ issueNumber, issueId }) => [issueNumber, issueId]))
      for (const number of [1, 400, 401, 420])
        expect((await search(project, `cloud number ${number} of the sky`))[0]).toBe(ids.get(number))
      expect(await search(project, 'cloud')).toEqual([420, 419, 418].map((number) => ids.get(number)))
    })

    it('are listed newest first, in pages, and found by their numbers, in their own project', async () => {
      const [weather, maps] = [await stage.addProject('weather'), await stage.addProject('maps')]
      const ids = new Map<number, IssueId>()
      for (const number of [1, 2, 3, 4]) ids.set(number, await publish(weather, `Cloud ${number}`))
      await publish(maps, 'Route')
      await submit(weather)
      await change(weather, ids.get(2) as IssueId, { known: null })
      await change(weather, ids.get(3) as IssueId, { category: 'security' })
      const { knownIssues } = stage.storage
      const list = async (before: number, limit: number) =>
        (await knownIssues.list(weather.id, before, limit)).map(({ title }) => title)
      expect(await list(2 ** 31 - 1, 10)).toEqual(['Cloud 4', 'Cloud 1'])
      expect(await list(2 ** 31 - 1, 1)).toEqual(['Cloud 4'])
      expect(await list(4, 10)).toEqual(['Cloud 1'])
      expect(await list(1, 10)).toEqual([])
      const found = await knownIssues.find(weather.id, [1, 2, 3, 4, 5, 9])
      expect(found.map(({ id }) => id)).toEqual([ids.get(1), ids.get(4)])
      expect(await knownIssues.find(weather.id, [])).toEqual([])
      while (!(await stage.storage.projects.delete(weather.id)).isFinished);
      expect(await list(2 ** 31 - 1, 10)).toEqual([])
      expect(await knownIssues.find(weather.id, [1])).toEqual([])
    })

    it('are not found any more once their project is being deleted', async () => {
      const project = await stage.addProject('weather')
      await publish(project, 'Rain is missing')
      while (!(await stage.storage.projects.delete(project.id)).isFinished);
      expect(await search(project, 'rain')).toEqual([])
    })

    it('are joined by reports that name them, also by several at once', async () => {
      const project = await stage.addProject('weather')
      const known = await publish(project, 'Rain is missing')
      const alike = await submit(project, { content: { ...contentOf('bug'), fingerprint: 'rain' } })
      const named = { knownIssueId: known, content: { ...contentOf('bug'), fingerprint: 'rain' } }
      const joined = await Promise.all(Array.from({ length: 5 }, () => submit(project, named)))
      expect(new Set(joined)).toEqual(new Set([known]))
      expect([await countOf(project, known), await countOf(project, alike)]).toEqual([6, 1])
    })

    it('are joined in the order of the calls: not once they are unpublished', async () => {
      const project = await stage.addProject('weather')
      const known = await publish(project, 'Rain is missing')
      const alike = await submit(project, { content: { ...contentOf('bug'), fingerprint: 'rain' } })
      const named = { knownIssueId: known, content: { ...contentOf('bug'), fingerprint: 'rain' } }
      const [first, , second, , third] = await Promise.all([
        submit(project, named),
        change(project, known, { known: null }),
        submit(project, named),
        change(project, known, { known: { title: 'Again' } }),
        submit(project, { ...named, content: contentOf('bug') }),
      ])
      expect([first, second, third]).toEqual([known, alike, known])
    })

    it('keep the texts and reporters of the reports that join them', async () => {
      const project = await stage.addProject('weather')
      const known = await publish(project, 'Rain is missing')
      const reporter = { id: 'ada', name: null, email: null }
      for (const title of ['Mine', 'Mine', 'Also mine'])
        await submit(project, { knownIssueId: known, content: { ...contentOf('bug'), title, reporter } })
      const issue = await issues().find(project.id, known)
      expect(issue).toMatchObject({ reportCount: 4, reporterCount: 1 })
      if (issue === undefined) throw new Error('the issue is gone')
      const reports = await issues().listMergedReports({
        ...{ issue, places: new Map(), limit: 10, isDistinct: false },
      })
      expect(reports.map(({ report }) => [report.title, report.textNumber])).toEqual([
        ['Also mine', 3],
        ['Mine', 2],
        ['Mine', 2],
        [contentOf('bug').title, 1],
      ])
    })

    it('reopen if a report that joins them comes from a release with the fix', async () => {
      const project = await stage.addProject('weather')
      const known = await publish(project, 'Rain is missing')
      const fixedIn = { appVersion: '2.0', buildNumber: null }
      await submit(project, { content: { ...contentOf('bug'), appVersion: '2.1' } })
      await change(project, known, { status: 'resolved', fixedIn })
      const from = (appVersion: string) => ({
        knownIssueId: known,
        content: { ...contentOf('bug'), appVersion },
      })
      await submit(project, from('1.9'))
      expect(await issues().find(project.id, known)).toMatchObject({ status: 'resolved' })
      await submit(project, from('2.1'))
      expect(await issues().find(project.id, known)).toMatchObject({
        status: 'open',
        unconfirmedVersion: null,
      })
    })

    it('are not joined by reports of the security lane or of blocked senders, nor from another project', async () => {
      const [project, other] = [await stage.addProject('weather'), await stage.addProject('maps')]
      const known = await publish(project, 'Rain is missing')
      await submit(project, { knownIssueId: known, content: contentOf('security') })
      await submit(project, { knownIssueId: known, isSpam: true })
      await submit(other, { knownIssueId: known })
      expect(await countOf(project, known)).toBe(1)
    })

    it('have the status and the fix of the issue that they are merged into', async () => {
      const project = await stage.addProject('weather')
      const known = await publish(project, 'Rain is missing')
      const into = await submit(project)
      const fixedIn = { appVersion: '2.0', buildNumber: '7' }
      await change(project, into, { status: 'resolved', fixedIn })
      const by = { lanes: ['open'] as const, ifVersions: null, actor: null, at: NOW }
      await issues().merge({ projectId: project.id, issueId: known, into, ...by })
      expect(await stage.storage.knownIssues.search(project.id, 'rain', 3)).toEqual([
        { id: known, issueNumber: 1, title: 'Rain is missing', text: '', status: 'resolved', fixedIn },
      ])
      expect(await submit(project, { knownIssueId: known })).toBe(known)
      expect(await countOf(project, into)).toBe(3)
    })
  })
}
