import { join } from 'node:path'
import { ISSUE_STATUSES } from '@bugle/contract/vocabulary'
import { describe, expect, it } from 'vitest'
import { createMergeModel, type MergeModel, type ModelView } from '../../../test-support/merge-model.ts'
import { NOW, projectOf, reportFor } from '../../../test-support/storage-stage.ts'
import { temporaryFolder } from '../../../test-support/temporary-folder.ts'
import { exportText, importText } from '../../../test-support/transfer-files.ts'
import { createRandom, type Random } from '../../demo/random.ts'
import type { BulkCommand, BulkOutcome } from '../../model/bulk-changes.ts'
import { type IssueId, mintId, projectNumberOf } from '../../model/ids.ts'
import type { StoredIssue } from '../../model/issues.ts'
import { type Lane, laneOf } from '../../model/lanes.ts'
import type { ProjectRecord } from '../../model/projects.ts'
import { normaliseSubmission } from '../../model/reports/reports.ts'
import type { Storage } from '../storage.ts'

export interface AuditedStorage extends AsyncDisposable {
  readonly storage: Storage
  /** What a recount finds wrong. */
  listFaults(): Promise<readonly string[]>
}

type Open = () => Promise<AuditedStorage>

interface Extent {
  readonly sequences: number
  readonly steps: number
}

/** The same in every run; another one can be chosen. */
const DEFAULT_SEED = 28
const BOTH_LANES = ['open', 'security'] as const
const CATEGORIES = { open: 'bug', security: 'security' } as const

/** Random sequences in one database equal a naive model, also after an export, an import into the other, and further steps there. */
export function describeMerges(name: string, open: Open, openOther: Open, extent: Extent): void {
  describe(`merged issues: ${name}`, () => {
    it('equal a naive model after random steps, and after export and import', async () => {
      const seed = Number(process.env['BUGLE_TEST_SEED'] ?? DEFAULT_SEED)
      process.stdout.write(`merged issues, ${name}: BUGLE_TEST_SEED=${seed}\n`)
      using folder = temporaryFolder()
      await using source = await open()
      await using target = await openOther()
      const sequences = Array.from({ length: extent.sequences }, (_, index) =>
        createSequence(index, seed + index),
      )
      await inTurns(sequences, async (sequence) => {
        await source.storage.projects.create(sequence.project)
        await play(source.storage, sequence, extent.steps)
        await expectSame(source.storage, sequence)
      })
      expect(await source.listFaults()).toEqual([])

      await importText(target.storage, join(folder.path, 'merges.ndjson'), await exportText(source.storage))
      expect(await target.listFaults()).toEqual([])
      await inTurns(sequences, async (sequence) => {
        await expectSame(target.storage, sequence)
        await play(target.storage, sequence, Math.ceil(extent.steps / 5))
        await expectSame(target.storage, sequence)
      })
      expect(await target.listFaults()).toEqual([])
    })
  })
}

interface Sequence {
  readonly project: ProjectRecord
  readonly random: Random
  readonly model: MergeModel
  /** Of this sequence. */
  readonly name: string
  clock: number
}

function createSequence(index: number, seed: number): Sequence {
  const project = projectOf(`sequence-${index}`)
  const random = createRandom(seed)
  return { project, random, model: createMergeModel(), name: `the sequence with seed ${seed}`, clock: NOW }
}

/** A few at a time: each is in its own project. */
async function inTurns(
  sequences: readonly Sequence[],
  run: (sequence: Sequence) => Promise<void>,
): Promise<void> {
  const queue = [...sequences]
  const work = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) await run(next)
  }
  await Promise.all(Array.from({ length: 8 }, work))
}

async function play({ issues }: Storage, sequence: Sequence, steps: number): Promise<void> {
  const { project, random, model } = sequence
  const projectId = project.id

  async function submit(at: number): Promise<void> {
    const lane: Lane = random.chance(0.25) ? 'security' : 'open'
    const fingerprint = random.pick([null, 'one', 'two', 'three'])
    const content = normaliseSubmission({ title: 'Blank', category: CATEGORIES[lane], fingerprint })
    const isSpam = random.chance(0.1)
    const report = reportFor(project, { content, isSpam, receivedAt: at, lanes: BOTH_LANES })
    await issues.submit(report)
    model.submit(report.issueId, { lane, isSpam, fingerprint, at })
  }

  for (let step = 0; step < steps; step++) {
    sequence.clock += 1_000
    const at = sequence.clock
    const ids = model.ids()
    const kind = random.pickWeighted({
      ...{ submit: 45, merge: 25, unmerge: 8, status: 12, lane: 8, delete: 4, deleteSeveral: 2 },
      ...{ deleteReport: 4, spam: 8, spamSeveral: 4 },
    })
    if (kind === 'submit' || ids.length === 0) {
      await submit(at)
      continue
    }
    const issueId = random.pick(ids)
    const command = { projectId, issueId, lanes: BOTH_LANES, ifVersions: null, actor: null, at }
    if (kind === 'merge') {
      const into = random.chance(0.05) ? mintId('iss', at, projectNumberOf(projectId)) : random.pick(ids)
      expect((await issues.merge({ ...command, into })).kind).toBe(model.merge(issueId, into))
    } else if (kind === 'unmerge') {
      expect((await issues.merge(command)).kind).toBe(model.unmerge(issueId))
    } else if (kind === 'status') {
      const status = random.pick(ISSUE_STATUSES)
      const { kind: outcome } = await issues.change({ ...command, patch: { status } })
      expect(outcome).toBe(model.setStatus(issueId, status))
    } else if (kind === 'lane') {
      const lane = random.pick(BOTH_LANES)
      await issues.change({ ...command, patch: { category: CATEGORIES[lane] } })
      model.setLane(issueId, lane)
    } else if (kind === 'spam') {
      const isSpam = random.chance(0.6)
      const { kind: outcome } = await issues.markSpam({ ...command, isSpam })
      expect(outcome).toBe(model.setSpam(issueId, isSpam) ? 'changed' : 'unchanged')
    } else if (kind === 'spamSeveral') {
      const isSpam = random.chance(0.6)
      const some = [...new Set([issueId, random.pick(ids), random.pick(ids)])]
      const changed = some.filter((id) => model.setSpam(id, isSpam)).length
      const action = isSpam ? 'mark_spam' : 'unmark_spam'
      expect(await changeSeveral(issues, sequence, some, { action, at })).toMatchObject({
        record: { changed },
      })
    } else if (kind === 'delete') {
      expect(await issues.delete(command)).toBe('deleted')
      model.deleteIssues([issueId])
    } else if (kind === 'deleteSeveral') {
      const some = [...new Set([issueId, random.pick(ids), random.pick(ids)])]
      expect((await changeSeveral(issues, sequence, some, { action: 'delete', at })).kind).toBe('done')
      model.deleteIssues(some)
    } else {
      const further = model.reportNumbersOf(issueId).filter((number) => number > 1)
      if (further.length === 0) continue
      const reportNumber = random.pick(further)
      expect(await issues.deleteReport({ ...command, reportNumber })).toBe('done')
      model.deleteReport(issueId, reportNumber)
    }
  }
}

async function changeSeveral(
  issues: Storage['issues'],
  { project }: Sequence,
  ids: readonly IssueId[],
  { action, at }: Pick<BulkCommand, 'action' | 'at'>,
): Promise<BulkOutcome> {
  const selected = await Promise.all(
    ids.map(async (issueId) => {
      const { version = 0 } = (await issues.find(project.id, issueId)) ?? {}
      return { issueId, version }
    }),
  )
  return issues.changeSeveral({
    projectId: project.id,
    bulkId: `bulk ${at}`,
    contentHash: 'hash',
    action,
    issues: selected,
    lanes: BOTH_LANES,
    patch: {},
    laneAssignee: null,
    labelNames: {},
    actor: null,
    at,
  })
}

async function expectSame({ issues }: Storage, { project, model, name }: Sequence): Promise<void> {
  const expected = model.show()
  const found = await Promise.all(
    expected.map(async ({ id }) => {
      const issue = await issues.find(project.id, id)
      return issue && viewOf(issues, issue)
    }),
  )
  expect(found, name).toEqual(expected)
}

async function viewOf(issues: Storage['issues'], issue: StoredIssue): Promise<ModelView> {
  const duplicates = await issues.listDuplicates({ issue, before: 2 ** 31, limit: 1_000 })
  expect(issue.duplicateCount).toBe(duplicates.length)
  return {
    id: issue.id,
    number: issue.issueNumber,
    lane: laneOf(issue.category),
    isSpam: issue.spamAt !== null,
    status: issue.status,
    fingerprint: issue.fingerprint,
    duplicateOf: issue.duplicateOf,
    reportCount: issue.reportCount,
    lastReportedAt: issue.lastReportedAt,
    duplicates: duplicates.map(({ issueNumber }) => issueNumber),
    reports: await listReports(issues, issue),
  }
}

/** Page by page. */
async function listReports(issues: Storage['issues'], issue: StoredIssue): Promise<readonly string[]> {
  const names: string[] = []
  const places = new Map<number, number>()
  for (;;) {
    const listing = { issue, places, limit: 3, isDistinct: false }
    const page = await issues.listMergedReports(listing)
    if (page.length === 0) return names
    for (const { issue: owner, report } of page) {
      names.push(`${owner.issueNumber}.${report.reportNumber}`)
      places.set(owner.issueNumber, report.reportNumber)
    }
  }
}
