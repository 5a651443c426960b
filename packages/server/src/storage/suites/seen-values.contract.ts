import { MAX_COUNTED_VALUES, OTHER_VALUE } from '@bugle/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { plainProject } from '../../../test-support/plain-reports.ts'
import { type IssueFile, readFiles } from '../../../test-support/recount.ts'
import { createRandom, type Random } from '../../demo/random.ts'
import { type IssueId, mintId, projectNumberOf } from '../../model/ids.ts'
import { type Lane, laneOf } from '../../model/lanes.ts'
import type { ProjectRecord } from '../../model/projects.ts'
import { normaliseSubmission } from '../../model/reports/reports.ts'
import { NO_REPORTS, SEEN_DIMENSIONS, type SeenRecord } from '../../model/seen-values.ts'
import type { VersionCount } from '../../model/stats.ts'
import type { Storage } from '../storage.ts'

const BOTH_LANES: readonly Lane[] = ['open', 'security']
const BEGINNING = Date.UTC(2026, 10, 1)
const DAY_MS = 86_400_000
const VERSIONS = ['1.0', '1.1', '2.0', OTHER_VALUE]
const EVERYTHING = { since: BEGINNING, maxIssues: 10_000, maxSources: 10_000 }
/** More than the number examined for the time of a first or last report. */
const HIDDEN = 1_050

/** The number of values in untrusted reports. */
export interface SeenEffort {
  readonly rounds: number
  readonly strangers: number
}

/** Versions, builds and branches of every database. */
export function describeSeenValues(
  name: string,
  open: () => Promise<Storage & AsyncDisposable>,
  { rounds, strangers }: SeenEffort = { rounds: 25, strangers: 1_300 },
): void {
  describe(`versions and branches: ${name}`, () => {
    let storage: Storage & AsyncDisposable
    beforeAll(async () => {
      storage = await open()
    })
    afterAll(() => storage[Symbol.asyncDispose]())

    async function addProject(slug: string): Promise<ProjectRecord> {
      const project = plainProject(slug, 0)
      await storage.projects.create(project)
      return project
    }

    function submit(project: ProjectRecord, receivedAt: number, fields: object) {
      const content = normaliseSubmission({ title: 'One', ...fields })
      const issueId = mintId('iss', receivedAt, projectNumberOf(project.id))
      const report = { projectId: project.id, issueId, receivedAt, actor: null, lanes: BOTH_LANES, content }
      return storage.issues.submit({ ...report, submission: null })
    }

    async function deleteIssues({ id: projectId }: ProjectRecord, ids: readonly IssueId[]): Promise<void> {
      for (let from = 0; from < ids.length; from += 250)
        await Promise.all(
          ids
            .slice(from, from + 250)
            .map((issueId) =>
              storage.issues.delete({ projectId, issueId, lanes: BOTH_LANES, actor: null, at: BEGINNING }),
            ),
        )
    }

    it('equal a recount after random reports, fixes, moves and deletions', async () => {
      const project = await addProject('random')
      const random = createRandom(7)
      const ids: IssueId[] = []
      let clock = BEGINNING

      async function operate(): Promise<void> {
        clock += random.chance(0.1) ? random.integer(1, 2 * DAY_MS) : random.integer(1, 5_000)
        const at = clock
        const kind = random.pickWeighted({ report: 60, move: 15, fix: 25, delete: 8 })
        if (kind === 'report') {
          const outcome = await submit(project, at, reportOf(random))
          if (outcome.kind === 'stored') ids.push(outcome.receipt.issueId)
          return
        }
        if (ids.length === 0) return
        const command = {
          projectId: project.id,
          issueId: random.pick(ids),
          lanes: BOTH_LANES,
          actor: null,
          at,
        }
        if (kind === 'delete') return void (await storage.issues.delete(command))
        const patch =
          kind === 'move' ? { category: random.pick(['bug', 'security'] as const) } : fixOf(random)
        await storage.issues.change({ ...command, patch, ifVersions: null })
      }

      for (let round = 0; round < rounds; round++) {
        await Promise.all(Array.from({ length: random.integer(1, 12) }, operate))
        if (round % 5 > 0 && round < rounds - 1) continue
        const files = await readFiles(storage, project.id, ids)
        const recounted = recountSeen(files)
        const kept = await storage.seenValues.list(project.id, BOTH_LANES, SEEN_DIMENSIONS)
        expect(sorted(kept)).toEqual(sorted(recounted))
        const open = await storage.seenValues.list(project.id, ['open'], SEEN_DIMENSIONS)
        expect(sorted(open)).toEqual(sorted(recounted.filter(({ lane }) => lane === 'open')))
        for (const lanes of [['open'] as const, BOTH_LANES]) {
          const selection = { ...EVERYTHING, projectId: project.id, lanes, appVersions: VERSIONS }
          const { counts, completeFrom } = await storage.stats.countVersions(selection)
          expect(completeFrom).toBeNull()
          expect(addDays(counts)).toEqual(recountDays(files, lanes))
        }
      }
      await deleteIssues(project, ids)
      expect(await storage.seenValues.list(project.id, BOTH_LANES, SEEN_DIMENSIONS)).toEqual([])
    })

    it('have times that are independent of hidden issues', async () => {
      const projects = [await addProject('plain'), await addProject('hiding')]
      const hide = async (project: ProjectRecord, at: number) => {
        const hidden = { category: 'security', appVersion: '1.0', branch: 'main' }
        await Promise.all(Array.from({ length: HIDDEN }, () => submit(project, at, hidden)))
      }
      const shown = await Promise.all(
        projects.map(async (project, index) => {
          const open = { appVersion: '1.0', buildNumber: '7', branch: 'main' }
          const outcomes = []
          for (const moment of [1, 2, 3]) {
            if (index === 1) await hide(project, BEGINNING + moment * 10)
            outcomes.push(await submit(project, BEGINNING + moment * 10, open))
            if (index === 1) await hide(project, BEGINNING + moment * 10)
          }
          for (const outcome of [outcomes[0], outcomes[2]]) {
            if (outcome?.kind !== 'stored') throw new Error('not stored')
            const command = { projectId: project.id, issueId: outcome.receipt.issueId, lanes: BOTH_LANES }
            await storage.issues.delete({ ...command, actor: null, at: BEGINNING + 100 })
          }
          return sorted(await storage.seenValues.list(project.id, ['open'], SEEN_DIMENSIONS))
        }),
      )
      expect(shown[0]).toHaveLength(2)
      for (const { firstAt, lastAt } of shown[0] ?? [])
        expect([firstAt, lastAt]).toEqual([BEGINNING + 20, BEGINNING + 20])
      expect(shown[1]).toEqual(shown[0])
    })

    it('contain the first complete day if there are too many reports to count by day', async () => {
      const project = await addProject('busy')
      for (const day of [0, 1, 2]) {
        const at = BEGINNING + day * DAY_MS
        for (const fingerprint of ['one', 'two']) {
          await submit(project, at, { appVersion: '1.0', fingerprint })
          await submit(project, at, { appVersion: '1.0', fingerprint })
        }
      }
      const count = async (bounds: object) => {
        const selection = { ...EVERYTHING, projectId: project.id, lanes: BOTH_LANES, appVersions: ['1.0'] }
        return (await storage.stats.countVersions({ ...selection, ...bounds })).completeFrom
      }
      expect(await count({})).toBeNull()
      expect(await count({ maxIssues: 2 })).toBe('2026-11-02')
      // Both issues have a source each day: the third newest is of the second day.
      expect(await count({ maxSources: 3 })).toBe('2026-11-03')
      expect(await count({ maxSources: 3, since: BEGINNING + 2 * DAY_MS })).toBeNull()
    })

    it.each(['of their own', 'on one issue'])(
      'stay bounded when reports %s have invented versions, and keep frequent ones',
      async (where) => {
        const project = await addProject(where.replaceAll(' ', '-'))
        const fingerprint = where === 'on one issue' ? 'flooded' : null
        const ids: IssueId[] = []
        const send = async (at: number, appVersion: string) => {
          const outcome = await submit(project, at, { appVersion, fingerprint, branch: 'main' })
          if (outcome.kind === 'stored') ids.push(outcome.receipt.issueId)
        }
        const list = () => storage.seenValues.list(project.id, ['open'], ['version'])
        const countNamed = async () => (await list()).filter(({ value }) => value !== OTHER_VALUE).length
        const REAL_EACH = 25
        const LATE = Math.floor(strangers / 2)
        for (let from = 0; from < strangers; from += 250) {
          const some = Array.from({ length: Math.min(250, strangers - from) }, (_, index) => from + index)
          await Promise.all(
            some.flatMap((number) => [
              // Each of them twice, so that a new release has the fewest reports.
              send(BEGINNING + number, `made-up ${number}`),
              send(BEGINNING + number, `made-up ${number}`),
              ...(number % REAL_EACH === 0 ? [send(BEGINNING + number, '2.4.1')] : []),
              ...(number % REAL_EACH === 0 && number >= LATE ? [send(BEGINNING + number, '2.5.0')] : []),
            ]),
          )
          expect(await countNamed()).toBeLessThanOrEqual(MAX_COUNTED_VALUES)
        }
        const kept = await list()
        const reportsOf = (version: string) => kept.find(({ value }) => value === version)?.reports
        expect(reportsOf('2.4.1')).toBe(Math.ceil(strangers / REAL_EACH))
        expect(reportsOf('2.5.0')).toBe(Math.ceil(strangers / REAL_EACH) - Math.ceil(LATE / REAL_EACH))
        const sum = (records: readonly SeenRecord[]) => records.reduce((all, { reports }) => all + reports, 0)
        const reports = strangers * 2 + (reportsOf('2.4.1') ?? 0) + (reportsOf('2.5.0') ?? 0)
        expect(sum(kept)).toBe(reports)
        expect(kept.filter(({ includesRest }) => includesRest).map(({ value }) => value)).toEqual([
          OTHER_VALUE,
        ])
        expect(sum(await storage.seenValues.list(project.id, ['open'], ['branch']))).toBe(reports)

        // The first version above the limit frees a twentieth of it.
        let before: number
        let after = await countNamed()
        do {
          before = after
          await send(BEGINNING + strangers, `late ${before}`)
          after = await countNamed()
        } while (after > before)
        expect([before, after]).toEqual([MAX_COUNTED_VALUES, MAX_COUNTED_VALUES * 0.95])

        // Deleting as many again would take most of the time without testing more.
        if (strangers > 5_000) return
        await deleteIssues(project, ids)
        expect(await storage.seenValues.list(project.id, BOTH_LANES, SEEN_DIMENSIONS)).toEqual([])
      },
    )

    it('keep a limited number of builds by name; the version counts the reports of the others', async () => {
      const project = await addProject('many-builds')
      const ids: IssueId[] = []
      const send = async (number: number, buildNumber: string | null) => {
        const outcome = await submit(project, BEGINNING + number, { appVersion: '1.0', buildNumber })
        if (outcome.kind === 'stored') ids.push(outcome.receipt.issueId)
      }
      const BUILDS = MAX_COUNTED_VALUES * 1.3
      for (let from = 0; from < BUILDS; from += 100)
        await Promise.all(
          Array.from({ length: 100 }, (_, index) => from + index).flatMap((number) => [
            send(number, `nightly ${number}`),
            ...(number % 20 === 0 ? [send(number, '7'), send(number, null)] : []),
          ]),
        )
      const kept = await storage.seenValues.list(project.id, ['open'], ['version'])
      expect(new Set(kept.map(({ value }) => value))).toEqual(new Set(['1.0']))
      expect(kept.reduce((sum, { reports }) => sum + reports, 0)).toBe(ids.length)
      const builds = kept.filter(({ buildNumber }) => buildNumber !== '')
      expect(builds.length).toBeGreaterThanOrEqual(MAX_COUNTED_VALUES * 0.95)
      expect(builds.length).toBeLessThanOrEqual(MAX_COUNTED_VALUES)
      expect(builds.find(({ buildNumber }) => buildNumber === '7')?.reports).toBe(BUILDS / 20)
      const rest = kept.find(({ buildNumber }) => buildNumber === '')
      expect(rest).toMatchObject({ includesRest: true, firstAt: BEGINNING })

      // A build that is no longer kept by name is subtracted from the version.
      await deleteIssues(project, ids.slice(0, 1))
      const after = await storage.seenValues.list(project.id, ['open'], ['version'])
      expect(after.find(({ buildNumber }) => buildNumber === '')?.reports).toBe((rest?.reports ?? 0) - 1)
      await deleteIssues(project, ids.slice(1))
      expect(await storage.seenValues.list(project.id, BOTH_LANES, SEEN_DIMENSIONS)).toEqual([])
    })
  })
}

function reportOf(random: Random) {
  return {
    category: random.pick(['bug', 'bug', 'crash', 'security'] as const),
    fingerprint: random.pick([null, 'one', 'two', 'three']),
    appVersion: random.pick([null, '1.0', '1.1', '2.0', OTHER_VALUE]),
    buildNumber: random.pick([null, '7', '"8"\n']),
    branch: random.pick([null, 'main', 'topic']),
  }
}

function fixOf(random: Random) {
  const appVersion = random.pick(['1.1', '2.0', '3.0'])
  return random.chance(0.3)
    ? { fixedIn: null }
    : { status: random.pick(['resolved', 'open'] as const), fixedIn: { appVersion } }
}

/** Recounts the data: reports one by one, regressions from the history. */
function recountSeen(files: readonly IssueFile[]): readonly SeenRecord[] {
  const counted = new Map<string, SeenRecord>()
  const add = (lane: Lane, dimension: SeenRecord['dimension'], value: string, by: Partial<SeenRecord>) => {
    const { buildNumber = '' } = by
    const key = `${lane} ${dimension} ${value} ${buildNumber}`
    const { reports, newIssues, fixedIssues, regressions, firstAt, lastAt } = counted.get(key) ?? NOTHING
    counted.set(key, {
      lane,
      dimension,
      value,
      buildNumber,
      reports: reports + (by.reports ?? 0),
      newIssues: newIssues + (by.newIssues ?? 0),
      fixedIssues: fixedIssues + (by.fixedIssues ?? 0),
      regressions: regressions + (by.regressions ?? 0),
      firstAt: Math.min(firstAt, by.firstAt ?? NO_REPORTS.firstAt),
      lastAt: Math.max(lastAt, by.lastAt ?? NO_REPORTS.lastAt),
      includesRest: false,
    })
  }
  for (const { issue, reports, events } of files) {
    const lane = laneOf(issue.category)
    const reopenings = events.filter(({ type, changes }) => type === 'issue.regressed' && changes.length > 0)
    for (const { appVersion, buildNumber, branch, reportNumber, receivedAt } of reports) {
      const isFirst = reportNumber === 1
      const sameMoment = reports.filter((other) => other.receivedAt === receivedAt && other.reportNumber > 1)
      const isReopening =
        sameMoment.at(-1)?.reportNumber === reportNumber &&
        reopenings.some(({ createdAt }) => createdAt === receivedAt)
      const by = {
        reports: 1,
        newIssues: Number(isFirst),
        regressions: Number(!isFirst && isReopening),
        firstAt: receivedAt,
        lastAt: receivedAt,
      }
      if (appVersion !== null) add(lane, 'version', appVersion, { ...by, buildNumber: buildNumber ?? '' })
      if (branch !== null) add(lane, 'branch', branch, by)
    }
    if (issue.fixedIn !== null) add(lane, 'version', issue.fixedIn.appVersion, { fixedIssues: 1 })
  }
  return [...counted.values()]
}

/** Reports and new issues by version and day. */
function recountDays(files: readonly IssueFile[], lanes: readonly Lane[]) {
  const visible = files.filter(({ issue }) => lanes.includes(laneOf(issue.category)))
  return addDays(
    visible
      .flatMap(({ reports }) => reports)
      .flatMap(({ appVersion, receivedAt, reportNumber }) => {
        const day = new Date(receivedAt).toISOString().slice(0, 10)
        return appVersion === null
          ? []
          : [{ appVersion, day, reports: 1, newIssues: Number(reportNumber === 1) }]
      }),
  )
}

function addDays(counts: readonly VersionCount[]) {
  const sums: Record<string, readonly [reports: number, newIssues: number]> = {}
  for (const { appVersion, day, reports, newIssues } of counts) {
    const [before = 0, newBefore = 0] = sums[`${day} ${appVersion}`] ?? []
    sums[`${day} ${appVersion}`] = [before + reports, newBefore + newIssues]
  }
  return sums
}

const NOTHING = { reports: 0, newIssues: 0, fixedIssues: 0, regressions: 0, ...NO_REPORTS }

function sorted(records: readonly SeenRecord[]): readonly SeenRecord[] {
  const keyOf = ({ lane, dimension, value, buildNumber }: SeenRecord) =>
    `${lane} ${dimension} ${value} ${buildNumber}`
  return records.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
}
