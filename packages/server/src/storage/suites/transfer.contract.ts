import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../test-support/temporary-folder.ts'
import { exportText, fileStoresIn, forge, importText, linesOf } from '../../../test-support/transfer-files.ts'
import { reportOf } from '../../../test-support/transfer-projects.ts'
import { sentAgain, type TransferStory, tellTransferStory } from '../../../test-support/transfer-story.ts'
import { contributionsOf } from '../../model/decisions/count-issue.ts'
import type { ProjectId } from '../../model/ids.ts'
import { everyIssue } from '../../model/issue-lists.ts'
import type { StoredIssue } from '../../model/issues.ts'
import { type Lane, laneOf } from '../../model/lanes.ts'
import type { SubmitOutcome } from '../../model/reports/reports.ts'
import { parseSearch } from '../../model/search/search-query.ts'
import { LINE_KINDS, type LineOf, RETIRED_KINDS, type TransferLine } from '../../model/transfer/lines.ts'
import { createFileRemoval } from '../../workers/remove-files.ts'
import type { Storage } from '../storage.ts'

type Open = () => Promise<Storage & AsyncDisposable>

const DIGEST = 'a'.repeat(64)
const OTHER_DIGEST = 'b'.repeat(64)

/** Transfers everything from one database to another and back; both functions open an empty one each time. */
export function describeTransfer(name: string, open: Open, openOther: Open): void {
  describe(`transfer: ${name}`, () => {
    const folder = temporaryFolder()
    const file = join(folder.path, 'export.ndjson')
    const filesOf = fileStoresIn(folder.path)
    const exportAll = (storage: Storage) => exportText(storage, null, filesOf(storage))
    const importAll = (storage: Storage, text: string) =>
      importText(storage, file, text, { files: filesOf(storage) })
    let source: Storage & AsyncDisposable
    let target: Storage & AsyncDisposable
    let story: TransferStory
    let replay: SubmitOutcome
    let text: string

    beforeAll(async () => {
      source = await open()
      story = await tellTransferStory(source, filesOf(source))
      replay = await source.issues.submit(sentAgain(story))
      text = await exportAll(source)
    })
    beforeEach(async () => {
      target = await openOther()
    })
    afterEach(() => target[Symbol.asyncDispose]())
    afterAll(async () => {
      await source[Symbol.asyncDispose]()
      folder[Symbol.dispose]()
    })

    it('gives the same file there and back, with data of every kind', async () => {
      const kinds = new Set(linesOf(text).map(({ record }) => record))
      expect(LINE_KINDS.filter((kind) => !kinds.has(kind))).toEqual(RETIRED_KINDS)

      await importAll(target, text)
      expect((await exportAll(target)) === text).toBe(true)
      await using again = await open()
      await importAll(again, await exportAll(target))
      expect((await exportAll(again)) === text).toBe(true)
    })

    it('keeps files with their bytes, and frees those that no report refers to', async () => {
      const unused = forge(
        text,
        (line) => line,
        (line) => line.record !== 'attachment' || line.size < 1_000,
      )
      await importAll(target, unused)
      const store = filesOf(target)
      const sizes = async () => {
        const found: number[] = []
        for await (const { size } of store.list()) found.push(size)
        return found.toSorted((a, b) => a - b)
      }
      expect(await sizes()).toEqual([0, 13, 15, 500_000])
      expect(await target.attachments.totalBytes()).toBe(500_028)
      await createFileRemoval({ storage: target, store })()
      expect(await sizes()).toEqual([0, 13, 15])
      expect(await target.attachments.totalBytes()).toBe(28)
    })

    it('without bytes stores files as not received, and they can be sent again', async () => {
      await importAll(target, await exportText(source))
      const attachments = linesOf(await exportAll(target)).filter((line) => line.record === 'attachment')
      expect(attachments.map(({ receivedAt }) => receivedAt)).toEqual(Array(6).fill(null))
      expect(await target.attachments.totalBytes()).toBe(0)
      const project = await target.projects.find('photos')
      const projectId = project?.id as ProjectId
      // The file of a comment comes first.
      const [ofComment, ofReport] = attachments as LineOf<'attachment'>[]
      const places = [
        { file: ofComment, place: { issueNumber: 1, commentId: 'with-file' } },
        { file: ofReport, place: { submissionId: 'files-1' } },
      ]
      for (const { file, place } of places) {
        const declared = { projectId, ...place, sha256: file?.digest ?? '' }
        expect(await target.attachments.findDeclaration(declared)).toMatchObject({
          attachment: { id: file?.id },
          isKept: true,
        })
      }
    })

    it('keeps the text of every report, and finds issues by it', async () => {
      await importAll(target, text)
      const { weather, grouped } = story
      const read = async (storage: Storage) => {
        const issue = await storage.issues.find(weather.id, grouped.issueId)
        if (issue === undefined) throw new Error('the issue is gone')
        return storage.issues.listReports({ issue, before: 100, limit: 100, isDistinct: false })
      }
      const reports = await read(target)
      expect(reports).toEqual(await read(source))
      const [last, ...others] = [
        'Nothing “at all” 漢字',
        'A pink flamingo',
        'Blank page',
        'A pink flamingo',
        'Blank page',
      ]
      expect(reports.map(({ title }) => title)).toEqual([last, ...others])
      for (const q of ['flamingo', '"pink flamingo"', '漢字', 'edited', '"blank page"']) {
        const selection = { ...everyIssue(weather.id, ['open']), search: parseSearch(q) }
        const listing = { selection, sort: 'newest', start: { offset: 0 }, limit: 100 } as const
        const { issues } = await target.issues.list(listing)
        expect({ q, ids: issues.map(({ id }) => id) }).toMatchObject({
          ids: expect.arrayContaining([grouped.issueId]),
        })
      }
    })

    it('keeps counters that equal a recount', async () => {
      await importAll(target, text)
      const lines = linesOf(await exportText(target, story.weather.id))
      expect(countersOf(lines)).toEqual(recount(lines))
    })

    it('gives a repeated submission the same response, and continues numbering without a gap', async () => {
      await importAll(target, text)
      expect(replay.kind).toBe('replayed')
      expect(await target.issues.submit(sentAgain(story))).toEqual(replay)

      const project = linesOf(text).find((line) => line.record === 'project')
      const issueNumber = (project?.lastIssueNumber ?? 0) + 1
      const next = await target.issues.submit(reportOf(story.weather, null, 'Next'))
      expect(next).toMatchObject({ kind: 'stored', receipt: { issueNumber } })
      const window = await target.events.window(story.weather.id, ['open', 'security'])
      expect(window).toEqual({ start: project?.expiredPosition, end: (project?.lastEventPosition ?? 0) + 1 })
    })

    it('gives a project that was deleted and imported again another revision', async () => {
      await importAll(target, text)
      const before = await target.issues.revision(story.weather.id, ['open'])
      const alone = await exportText(target, story.weather.id)
      while (!(await target.projects.delete(story.weather.id)).isFinished);
      await importText(target, file, alone)
      expect(await target.issues.revision(story.weather.id, ['open'])).not.toBe(before)
    })

    it('finds imported issues by full-text search, in their lane', async () => {
      await importAll(target, text)
      const search = [{ tokens: ['token'], isPrefix: false }]
      const find = async (lanes: readonly Lane[]) => {
        const selection = { ...everyIssue(story.weather.id, lanes), search }
        const listing = { sort: 'newest', start: { offset: 0 }, limit: 10 } as const
        return (await target.issues.list({ selection, ...listing })).issues.map(({ title }) => title)
      }
      expect(await find(['open', 'security'])).toEqual(['Token in the log'])
      expect(await find(['open'])).toEqual([])
    })

    it('exports one project, without people and keys for all projects', async () => {
      const lines = linesOf(await exportText(source, story.maps.id))
      const [project, ...rest] = lines
      expect(project).toMatchObject({ record: 'project', slug: 'maps' })
      expect(new Set(rest.map(({ record }) => record))).toEqual(new Set(['issue', 'event', 'counter']))
    })

    it('exports one snapshot, regardless of concurrent writes', async () => {
      await importAll(target, text)
      const seen = await target.transfer.snapshot(null, async (snapshot) => {
        const all: TransferLine[] = []
        for await (const lines of snapshot.lines()) {
          await target.issues.submit(reportOf(story.maps, null, 'Meanwhile'))
          all.push(...lines)
        }
        return all
      })
      expect(seen).toEqual(linesOf(text).filter(({ record }) => LINE_KINDS.includes(record)))
    })

    it('hides an import until it is finished, and resumes where it stopped', async () => {
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

    it('discards an unfinished import completely, and nothing else', async () => {
      const lines = linesOf(await exportText(source, story.weather.id))
      await target.projects.create(story.maps)
      const before = await exportText(target)
      await target.transfer.beginImport(DIGEST)
      await target.transfer.storeLines({ ...batchOf(0, lines.length, lines), projectId: story.weather.id })

      expect(await target.transfer.discardSome()).toBe(true)
      // After the first step it can no longer be resumed.
      expect(await target.transfer.storeLines(batchOf(lines.length, lines.length + 1))).toBe('overtaken')
      while (await target.transfer.discardSome());
      expect(await exportText(target)).toBe(before)
      expect(await target.transfer.beginImport(OTHER_DIGEST)).toEqual({ digest: OTHER_DIGEST, line: 0 })
    })
  })
}

function batchOf(line: number, toLine: number, lines: readonly TransferLine[] = []) {
  return { from: { digest: DIGEST, line }, toLine, projectId: null, lines, fileNames: new Map() }
}

type Counts = Record<string, number>

function countersOf(lines: readonly TransferLine[]): Counts {
  const counts: Counts = {}
  for (const line of lines) {
    if (line.record !== 'counter' || line.count === 0) continue
    if (['intake', 'refused_key'].includes(line.dimension) || line.dimension.startsWith('sdk:')) continue
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
      const lane = `${line.spamAt ? 'spam' : laneOf(line.category)}`
      lanes.set(line.number, lane)
      const contributions = contributionsOf({ ...line, labels: line.labels ?? [] } as unknown as StoredIssue)
      for (const { dimension, value, count } of contributions) add(`${lane} ${dimension} ${value}`, count)
    }
    if (line.record === 'reportSource')
      add(`${lanes.get(line.issueNumber)} reports_day ${line.day}`, line.count)
  }
  return counts
}
