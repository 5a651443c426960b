import { CATEGORIES, ISSUE_STATUSES, MAX_COUNTED_VALUES, PRIORITIES } from '@bugle/contract/vocabulary'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { plainProject } from '../../../test-support/plain-reports.ts'
import { type Counts, type IssueFile, readFiles, recount } from '../../../test-support/recount.ts'
import { createRandom, type Random } from '../../demo/random.ts'
import { type IssueId, mintId, mintUnshardedId, projectNumberOf } from '../../model/ids.ts'
import type { IssuePatch } from '../../model/issues.ts'
import { type Lane, laneOf } from '../../model/lanes.ts'
import type { ProjectRecord } from '../../model/projects.ts'
import type { NewReport } from '../../model/reports/reports.ts'
import { normaliseSubmission } from '../../model/reports/reports.ts'
import type { Storage } from '../storage.ts'

const OPERATIONS = 3_000
/** The number of operations between two recounts. */
const STRETCH = 200
const BOTH_LANES: readonly Lane[] = ['open', 'security']
const BEGINNING = Date.UTC(2026, 10, 15, 20)
const PERIOD_DIMENSIONS = [
  ...(['status', 'category', 'priority', 'platform', 'app_version', 'assignee', 'label', 'reports'] as const),
  ...(['time_to_acknowledge', 'time_to_resolve'] as const),
]
const LANES: readonly (readonly Lane[])[] = [['open'], ['security'], ['open', 'security']]

/** The statistics that every database keeps, compared with a recount of what it stores. */
export function describeStats(
  name: string,
  open: () => Promise<Storage & AsyncDisposable>,
  seeds: readonly number[] = [1, 2, 3],
): void {
  describe(`statistics: ${name}`, { timeout: 300_000 }, () => {
    let storage: Storage & AsyncDisposable

    beforeEach(async () => {
      storage = await open()
    })
    afterEach(() => storage[Symbol.asyncDispose]())

    async function expectRecount({
      project,
      ids,
      intake,
      refusedByKey,
      files: known,
    }: Ledger): Promise<void> {
      const files = await readFiles(storage, project.id, ids, known)
      for (const file of files) known.set(file.issue.id, file)
      for (const lanes of LANES) {
        const visible = files.filter(({ issue }) => lanes.includes(laneOf(issue.category)))
        const byKey = lanes.includes('open') ? refusedByKey : new Map<string, number>()
        const expected = { ...recount(visible), intake: toObject(intake), refused_key: toObject(byKey) }
        const { counts: read } = await storage.stats.read(project.id, lanes)
        const counted = Object.entries(read).map(([dimension, values]) => [dimension, toObject(values)])
        expect({ lanes, ...Object.fromEntries(counted) }).toEqual({ lanes, ...expected })
        if (lanes.includes('open')) await expectPeriod(project, lanes, visible)
      }
    }

    /** The later half of the issues. */
    async function expectPeriod(
      { id: projectId }: ProjectRecord,
      lanes: readonly Lane[],
      files: readonly IssueFile[],
    ): Promise<void> {
      const since = files[Math.floor(files.length / 2)]?.issue.createdAt ?? 0
      const expected = recount(files.filter(({ issue }) => issue.createdAt >= since))
      const selection = { projectId, lanes, since, until: null, limit: OPERATIONS }
      const { counts, full } = await storage.stats.countPeriod(selection)
      expect(full.size).toBe(0)
      for (const dimension of PERIOD_DIMENSIONS)
        expect({ lanes, [dimension]: toObject(counts[dimension]) }).toEqual({
          lanes,
          [dimension]: expected[dimension],
        })
    }

    it.each(seeds)('equal a recount after any operations, in any order (seed %i)', async (seed) => {
      const random = createRandom(seed)
      const ledgers = [await openLedger(storage, 'weather'), await openLedger(storage, 'maps')]
      const outcomes = new Set<string>()
      for (let done = 0; done < OPERATIONS; done += STRETCH) {
        for (let left = STRETCH; left > 0; ) {
          // Concurrent calls share a transaction, sequential ones do not.
          const together = Math.min(left, random.pick([1, 1, 5, 40]))
          const some = Array.from({ length: together }, () => operate(storage, random.pick(ledgers), random))
          for (const outcome of await Promise.all(some)) outcomes.add(outcome)
          left -= together
        }
        for (const ledger of ledgers) await expectRecount(ledger)
      }
      for (const ledger of ledgers) await expectRecount({ ...ledger, files: new Map() })
      expect([...outcomes].sort()).toEqual(POSSIBLE_OUTCOMES)
    })

    it('of a period examine a limited number of the newest visible issues', async () => {
      const { project } = await openLedger(storage, 'weather')
      const submit = (receivedAt: number, category: 'bug' | 'security') =>
        storage.issues.submit({
          projectId: project.id,
          issueId: mintId('iss', receivedAt, projectNumberOf(project.id)),
          receivedAt,
          actor: null,
          lanes: BOTH_LANES,
          content: normaliseSubmission({
            title: 'One',
            category,
            appVersion: String(receivedAt - BEGINNING),
          }),
          submission: null,
        })
      for (let day = 0; day < 6; day++) await submit(BEGINNING + day, day % 2 === 0 ? 'bug' : 'security')
      const count = async (lanes: readonly Lane[], since: number, limit: number) => {
        const selection = { projectId: project.id, lanes, since: BEGINNING + since, until: null, limit }
        const { counts } = await storage.stats.countPeriod(selection)
        return [...counts.app_version.keys()].sort()
      }
      expect(await count(BOTH_LANES, 2, 100)).toEqual(['2', '3', '4', '5'])
      expect(await count(BOTH_LANES, 0, 3)).toEqual(['3', '4', '5'])
      expect(await count(['open'], 0, 2)).toEqual(['2', '4'])
      expect(await count(['open'], 3, 100)).toEqual(['4'])
      expect(await count(['open'], 100, 100)).toEqual([])
    })

    it('of a period round durations as counters do', async () => {
      const { project } = await openLedger(storage, 'weather')
      const durations = [0, 499, 500, 99_499, 99_500, 994_999, 995_000, 1_005_000, 9_999_500, 123_456_789_000]
      for (const duration of [...durations, 8_000 * 365 * 86_400_000]) {
        const issueId = mintId('iss', BEGINNING, projectNumberOf(project.id))
        const command = { projectId: project.id, issueId, lanes: BOTH_LANES, actor: null }
        const content = normaliseSubmission({ title: 'One' })
        await storage.issues.submit({ ...command, receivedAt: BEGINNING, content, submission: null })
        const patch = { status: 'resolved' } as const
        await storage.issues.change({ ...command, patch, ifVersions: null, at: BEGINNING + duration })
      }
      const { counts } = await storage.stats.read(project.id, BOTH_LANES)
      const selection = { projectId: project.id, lanes: BOTH_LANES, since: 0, until: null, limit: 100 }
      const { counts: counted } = await storage.stats.countPeriod(selection)
      expect(toObject(counted.time_to_resolve)).toEqual(toObject(counts.time_to_resolve))
      expect(toObject(counted.time_to_acknowledge)).toEqual(toObject(counts.time_to_acknowledge))
    })

    it('count 1,000 untrusted values by name and the rest as other, and subtract each where it was counted', async () => {
      const ledger = await openLedger(storage, 'weather')
      const random = createRandom(4)
      const models = Array.from({ length: MAX_COUNTED_VALUES + 500 }, (_, index) => `1.${index}`)
      const submit = (deviceModel: string) =>
        submitNew(storage, ledger, { ...contentFor(random), category: 'bug', fingerprint: null, deviceModel })
      const expectModels = async (files: readonly IssueFile[], lanes: readonly Lane[]) => {
        const { counts, full } = await storage.stats.read(ledger.project.id, lanes)
        const { device_model: counted } = counts
        if (lanes.includes('open')) expect([...full]).toContain('device_model')
        const visible = files.filter(({ issue }) => lanes.includes(laneOf(issue.category)))
        const { other = 0, ...named } = toObject(counted)
        const { device_model: all = {} } = recount(visible)
        expect(Object.keys(named).length).toBeLessThanOrEqual(lanes.length * MAX_COUNTED_VALUES)
        expect(sum(named) + other).toBe(visible.length)
        return { named, all, other }
      }
      for (const model of models.slice(0, 20)) await submit(model)
      await Promise.all([...models, ...models.slice(-200), 'other', 'other'].map(submit))

      const read = () => readFiles(storage, ledger.project.id, ledger.ids)
      const { named, all, other } = await expectModels(await read(), ['open'])
      expect(Object.keys(named)).toHaveLength(MAX_COUNTED_VALUES)
      expect(named).toEqual(Object.fromEntries(Object.keys(named).map((model) => [model, all[model]])))
      expect(other).toBe(sum(all) - sum(named))

      const command = { lanes: ['open', 'security'], actor: null, at: BEGINNING } as const
      for (const category of ['security', 'crash', 'security'] as const) {
        const moved = ledger.ids.filter(() => random.chance(0.5))
        await Promise.all(
          moved.map((issueId) =>
            storage.issues.change({
              ...command,
              ...place(ledger, issueId),
              patch: { category },
              ifVersions: null,
            }),
          ),
        )
        const files = await read()
        for (const lanes of LANES) await expectModels(files, lanes)
      }
      await Promise.all(
        ledger.ids.map((issueId) => storage.issues.delete({ ...command, ...place(ledger, issueId) })),
      )
      for (const lanes of LANES) {
        const { intake, ...rest } = (await storage.stats.read(ledger.project.id, lanes)).counts
        expect(Object.values(rest).map((values) => values.size)).toEqual(Object.values(rest).map(() => 0))
        expect(toObject(intake)).toEqual({ stored: ledger.ids.length })
      }
    })
  })
}

/** What the test did to a project. */
interface Ledger {
  readonly project: ProjectRecord
  readonly ids: IssueId[]
  readonly intake: Map<string, number>
  readonly refusedByKey: Map<string, number>
  /** Submissions with an id, to be repeated. */
  readonly named: NewReport[]
  /** The issues as they were read for the last recount. */
  readonly files: Map<IssueId, IssueFile>
  clock: number
}

async function openLedger(storage: Storage, slug: string): Promise<Ledger> {
  const project = plainProject(slug, 0)
  await storage.projects.create(project)
  const [intake, refusedByKey] = [new Map<string, number>(), new Map<string, number>()]
  return { project, ids: [], intake, refusedByKey, named: [], files: new Map(), clock: BEGINNING }
}

const POSSIBLE_OUTCOMES = [
  ...[
    'change assignee-refused',
    'change changed',
    'change invalid-transition',
    'change missing',
    'change stale',
    'change unchanged',
  ],
  ...['delete deleted', 'delete missing', 'refused'],
  ...[
    'submit conflict',
    'submit id-taken',
    'submit joined',
    'submit no-project',
    'submit replayed',
    'submit stored',
  ],
]

/** Runs one operation, records it, and returns its result. */
async function operate(storage: Storage, ledger: Ledger, random: Random): Promise<string> {
  // A few seconds, occasionally a day.
  ledger.clock += random.chance(0.01) ? 86_400_000 : random.integer(0, 20_000)
  const operation = random.pickWeighted({ ...SUBMISSIONS, change: 35, delete: 4, refuse: 3 })
  if (operation === 'refuse') {
    const keyId = random.pick(KEY_IDS)
    const limited = random.integer(1, 5)
    const entries = [['limited', limited, keyId] as const, ['validation-failed', 1] as const]
    for (const [outcome, count] of entries) note(ledger, outcome, count)
    const name = `${keyId} limited`
    ledger.refusedByKey.set(name, (ledger.refusedByKey.get(name) ?? 0) + limited)
    await storage.stats.addIntake(ledger.project.id, entries)
    return 'refused'
  }
  const issueId = random.pick([mintFor(ledger), ...ledger.ids])
  const command = { ...place(ledger, issueId), actor: null, at: ledger.clock }
  const lanes: readonly Lane[] = random.chance(0.1) ? ['open'] : ['open', 'security']
  if (operation === 'delete') return `delete ${await storage.issues.delete({ ...command, lanes })}`
  if (operation === 'change') {
    const ifVersions = random.chance(0.1) ? [random.integer(1, 3)] : null
    const { kind } = await storage.issues.change({
      ...command,
      lanes,
      ifVersions,
      patch: patchFor(random),
      laneAssignee: PEOPLE[0] ?? null,
    })
    return `change ${kind}`
  }
  return `submit ${await submit(storage, ledger, reportOf(operation, ledger, random))}`
}

const KEY_IDS = ['key_one', 'key_two'] as const
const SUBMISSIONS = { plain: 22, named: 8, grouped: 22, replayed: 4, conflicting: 3, taken: 1, lost: 1 }

function reportOf(kind: keyof typeof SUBMISSIONS, ledger: Ledger, random: Random): NewReport {
  const issueId = mintFor(ledger)
  const receivedAt = ledger.clock
  const report = {
    ...place(ledger, issueId),
    receivedAt,
    actor: null,
    lanes: BOTH_LANES,
    content: contentFor(random),
    submission: null,
  }
  const earlier = ledger.named.length > 0 ? random.pick(ledger.named) : undefined
  if (kind === 'plain') return { ...report, content: { ...report.content, fingerprint: null } }
  if (kind === 'taken') return { ...report, issueId: random.pick([issueId, ...ledger.ids]) }
  if (kind === 'lost') return { ...report, projectId: 'prj_00000000000g00000000000000' }
  if (kind === 'replayed' && earlier) return { ...earlier, issueId, receivedAt }
  if (kind === 'conflicting' && earlier?.submission) {
    return { ...report, submission: { id: earlier.submission.id, contentHash: 'ff'.repeat(16) } }
  }
  const id = `s${ledger.named.length}`
  return kind === 'grouped' ? report : { ...report, submission: { id, contentHash: '00'.repeat(16) } }
}

async function submit(storage: Storage, ledger: Ledger, report: NewReport): Promise<string> {
  if (report.submission !== null) ledger.named.push(report)
  const { kind } = await storage.issues.submit(report)
  // The id of a deleted issue may be used again.
  if (kind === 'stored' && !ledger.ids.includes(report.issueId)) ledger.ids.push(report.issueId)
  if (kind === 'stored' || kind === 'joined' || kind === 'replayed') note(ledger, kind, 1)
  return kind
}

function submitNew(storage: Storage, ledger: Ledger, content: NewReport['content']): Promise<string> {
  const issueId = mintFor(ledger)
  const report = {
    ...place(ledger, issueId),
    receivedAt: ledger.clock,
    actor: null,
    lanes: BOTH_LANES,
    content,
    submission: null,
  }
  return submit(storage, ledger, report)
}

function contentFor(random: Random): NewReport['content'] {
  return normaliseSubmission({
    title: 'Settings screen stays blank',
    category: random.pickWeighted({ bug: 5, crash: 3, performance: 1, ui_ux: 1, security: 4 }),
    priority: random.pick(PRIORITIES),
    platform: random.pick([null, 'ios', 'android', 'other']),
    appVersion: random.pick([null, '1.0', '1.1', '2.0', 'Other', '']),
    buildNumber: random.pick([null, '7']),
    fingerprint: random.chance(0.9) ? `f${random.integer(1, 40)}` : null,
  })
}

const PEOPLE = [mintUnshardedId('usr', 0), mintUnshardedId('usr', 1)]

function patchFor(random: Random): IssuePatch {
  const patches: readonly IssuePatch[] = [
    { status: random.pick(ISSUE_STATUSES) },
    { status: random.pick(ISSUE_STATUSES), fixedIn: { appVersion: '1.1', buildNumber: null } },
    { status: random.pick(['resolved', 'open']), category: random.pick(CATEGORIES) },
    { category: 'security' },
    { category: random.pick(CATEGORIES), priority: random.pick(PRIORITIES) },
    { priority: random.pick(PRIORITIES), note: 'Looked at it' },
    { title: random.pick(['Blank', 'Dark']), description: random.pick([null, 'Since the update']) },
    { assigneeId: random.pick([null, ...PEOPLE]) },
    { labels: random.pick([[], [1], [2], [1, 3], [1, 2, 3]]) },
    { labels: random.pick([[], [2]]), category: random.pick(CATEGORIES) },
    { assigneeId: random.pick(PEOPLE), category: random.pick(CATEGORIES) },
    {},
  ]
  return random.pick(patches)
}

function mintFor({ project, clock }: Ledger): IssueId {
  return mintId('iss', clock, projectNumberOf(project.id))
}

function place({ project }: Ledger, issueId: IssueId) {
  return { projectId: project.id, issueId }
}

function note({ intake }: Ledger, outcome: string, count: number): void {
  intake.set(outcome, (intake.get(outcome) ?? 0) + count)
}

function toObject(counts: ReadonlyMap<string, number>): Counts {
  return Object.fromEntries(counts)
}

function sum(counts: Counts): number {
  return Object.values(counts).reduce((total, count) => total + count, 0)
}
