import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../test-support/temporary-folder.ts'
import { exportText, importText, linesOf } from '../../../test-support/transfer-files.ts'
import {
  reportOf,
  sentAgain,
  type TransferStory,
  tellTransferStory,
} from '../../../test-support/transfer-story.ts'
import { contributionsOf } from '../../model/decisions/count-issue.ts'
import { everyIssue } from '../../model/issue-lists.ts'
import type { StoredIssue } from '../../model/issues.ts'
import { type Lane, laneOf } from '../../model/lanes.ts'
import type { SubmitOutcome } from '../../model/reports.ts'
import { LINE_KINDS, type TransferLine } from '../../model/transfer/lines.ts'
import type { Storage } from '../storage.ts'

type Open = () => Promise<Storage & AsyncDisposable>

const DIGEST = 'a'.repeat(64)
const OTHER_DIGEST = 'b'.repeat(64)

/** The way of everything from one database to another and back; both open an empty one each time. */
export function describeTransfer(name: string, open: Open, openOther: Open): void {
  describe(`transfer: ${name}`, () => {
    const folder = temporaryFolder()
    const file = join(folder.path, 'export.ndjson')
    let source: Storage & AsyncDisposable
    let target: Storage & AsyncDisposable
    let story: TransferStory
    let replay: SubmitOutcome
    let text: string

    beforeAll(async () => {
      source = await open()
      story = await tellTransferStory(source)
      replay = await source.issues.submit(sentAgain(story))
      text = await exportText(source)
    })
    beforeEach(async () => {
      target = await openOther()
    })
    afterEach(() => target[Symbol.asyncDispose]())
    afterAll(async () => {
      await source[Symbol.asyncDispose]()
      folder[Symbol.dispose]()
    })

    it('gives the same file there and back again, with something of every kind', async () => {
      const kinds = new Set(linesOf(text).map(({ record }) => record))
      expect(LINE_KINDS.filter((kind) => !kinds.has(kind))).toEqual([])

      await importText(target, file, text)
      expect(await exportText(target)).toBe(text)
      await using again = await open()
      await importText(again, file, await exportText(target))
      expect(await exportText(again)).toBe(text)
    })

    it('keeps counters that equal a recount', async () => {
      await importText(target, file, text)
      const lines = linesOf(await exportText(target, story.weather.id))
      expect(countersOf(lines)).toEqual(recount(lines))
    })

    it('answers a submission that is sent again as before, and goes on numbering without a gap', async () => {
      await importText(target, file, text)
      expect(replay.kind).toBe('replayed')
      expect(await target.issues.submit(sentAgain(story))).toEqual(replay)

      const project = linesOf(text).find((line) => line.record === 'project')
      const issueNumber = (project?.lastIssueNumber ?? 0) + 1
      const next = await target.issues.submit(reportOf(story.weather, null, 'Next'))
      expect(next).toMatchObject({ kind: 'stored', receipt: { issueNumber } })
      const window = await target.events.window(story.weather.id, ['open', 'security'])
      expect(window).toEqual({ start: project?.expiredPosition, end: (project?.lastEventPosition ?? 0) + 1 })
    })

    it('gives a project that was deleted and is imported again another mark', async () => {
      await importText(target, file, text)
      const before = await target.issues.revision(story.weather.id, ['open'])
      const alone = await exportText(target, story.weather.id)
      while (!(await target.projects.delete(story.weather.id)).isFinished);
      await importText(target, file, alone)
      expect(await target.issues.revision(story.weather.id, ['open'])).not.toBe(before)
    })

    it('finds in the full text what was imported, in its lane', async () => {
      await importText(target, file, text)
      const search = [{ tokens: ['token'], isPrefix: false }]
      const find = async (lanes: readonly Lane[]) => {
        const selection = { ...everyIssue(story.weather.id, lanes), search }
        const order = { sort: 'newest', start: { offset: 0 }, limit: 10 } as const
        return (await target.issues.list({ selection, ...order })).issues.map(({ title }) => title)
      }
      expect(await find(['open', 'security'])).toEqual(['Token in the log'])
      expect(await find(['open'])).toEqual([])
    })

    it('exports one project, without people and keys of no project', async () => {
      const lines = linesOf(await exportText(source, story.maps.id))
      const [project, ...rest] = lines
      expect(project).toMatchObject({ record: 'project', slug: 'maps' })
      expect(new Set(rest.map(({ record }) => record))).toEqual(new Set(['issue', 'event', 'counter']))
    })

    it('sees one moment, whatever is written meanwhile', async () => {
      await importText(target, file, text)
      const seen = await target.transfer.snapshot(null, async (snapshot) => {
        const all: TransferLine[] = []
        for await (const lines of snapshot.lines()) {
          await target.issues.submit(reportOf(story.maps, null, 'Meanwhile'))
          all.push(...lines)
        }
        return all
      })
      expect(seen).toEqual(linesOf(text))
    })

    it('shows nothing of an import before it is finished, and goes on where it stopped', async () => {
      const lines = linesOf(await exportText(source, story.weather.id))
      const last = lines.length
      const projectId = story.weather.id
      const catalogVersion = await target.catalogVersion()
      const first = { ...batchOf(0, 30, lines.slice(0, 30)), projectId }
      expect(await target.transfer.beginImport(DIGEST)).toEqual({ digest: DIGEST, line: 0 })
      expect(await target.transfer.storeLines(first)).toBe('stored')

      expect(await target.projects.list(null, 10)).toEqual([])
      expect(await target.projects.find(projectId)).toBeUndefined()
      expect(await target.projects.find('weather')).toBeUndefined()
      const early = await target.issues.submit(reportOf(story.weather, null, 'Early'))
      expect(early).toEqual({ kind: 'no-project' })
      expect(linesOf(await exportText(target))).toEqual([])

      expect(await target.transfer.beginImport(OTHER_DIGEST)).toEqual({ digest: DIGEST, line: 30 })
      expect(await target.transfer.storeLines(first)).toBe('overtaken')
      const rest = { ...batchOf(30, last, lines.slice(30)), projectId }
      expect(await target.transfer.storeLines(rest)).toBe('stored')
      expect(await target.projects.find(projectId)).toBeUndefined()

      expect(await target.transfer.finishImport(batchOf(last, last))).toBe('finished')
      expect(await target.projects.find('weather')).toEqual(story.weather)
      expect(await target.catalogVersion()).toBeGreaterThan(catalogVersion)
      expect(linesOf(await exportText(target))).toEqual(lines)
    })

    it('refuses to finish while another project has the slug, and finishes afterwards', async () => {
      const lines = linesOf(await exportText(source, story.maps.id))
      const last = lines.length
      await target.transfer.beginImport(DIGEST)
      await target.transfer.storeLines({ ...batchOf(0, last, lines), projectId: story.maps.id })
      const other = { ...story.weather, slug: 'maps' }
      await target.projects.create(other)
      expect(await target.transfer.finishImport(batchOf(last, last))).toEqual({ takenSlug: 'maps' })
      await target.projects.update(other.id, { slug: 'older-maps' })
      expect(await target.transfer.finishImport(batchOf(last, last))).toBe('finished')
      expect((await target.projects.find('maps'))?.id).toBe(story.maps.id)
    })

    it('throws an unfinished import away without a trace, and nothing else', async () => {
      const lines = linesOf(await exportText(source, story.weather.id))
      await target.projects.create(story.maps)
      const before = await exportText(target)
      await target.transfer.beginImport(DIGEST)
      await target.transfer.storeLines({ ...batchOf(0, lines.length, lines), projectId: story.weather.id })

      expect(await target.transfer.discardSome()).toBe(true)
      // From the first step on nobody goes on with it.
      expect(await target.transfer.storeLines(batchOf(lines.length, lines.length + 1))).toBe('overtaken')
      while (await target.transfer.discardSome());
      expect(await exportText(target)).toBe(before)
      expect(await target.transfer.beginImport(OTHER_DIGEST)).toEqual({ digest: OTHER_DIGEST, line: 0 })
    })
  })
}

function batchOf(line: number, toLine: number, lines: readonly TransferLine[] = []) {
  return { from: { digest: DIGEST, line }, toLine, projectId: null, lines }
}

type Counts = Record<string, number>

function countersOf(lines: readonly TransferLine[]): Counts {
  const counts: Counts = {}
  for (const line of lines) {
    if (line.record !== 'counter' || line.count === 0) continue
    if (line.dimension === 'intake' || line.dimension.startsWith('sdk:')) continue
    counts[`${line.lane} ${line.dimension} ${line.value}`] = line.count
  }
  return counts
}

function recount(lines: readonly TransferLine[]): Counts {
  const counts: Counts = {}
  const add = (key: string, count: number) => {
    counts[key] = (counts[key] ?? 0) + count
  }
  const lanes = new Map<number, string>()
  for (const line of lines) {
    if (line.record === 'issue') {
      lanes.set(line.number, laneOf(line.category))
      const contributions = contributionsOf(line as unknown as StoredIssue)
      for (const { dimension, value, count } of contributions)
        add(`${laneOf(line.category)} ${dimension} ${value}`, count)
    }
    if (line.record === 'reportDay') add(`${lanes.get(line.issueNumber)} reports_day ${line.day}`, line.count)
  }
  return counts
}
