import { join } from 'node:path'
import { MAX_KNOWN_ISSUES } from '@bugle/contract/vocabulary'
import { describe, expect, it } from 'vitest'
import { fewAtATime } from '../../../test-support/few-at-a-time.ts'
import { contentOf, NOW, projectOf, receiptOf, reportFor } from '../../../test-support/storage-stage.ts'
import { temporaryFolder } from '../../../test-support/temporary-folder.ts'
import { exportText, importText } from '../../../test-support/transfer-files.ts'
import { createRandom, type Random } from '../../demo/random.ts'
import type { BulkCommand } from '../../model/bulk-changes.ts'
import { type IssueId, mintId, projectNumberOf } from '../../model/ids.ts'
import type { ProjectRecord } from '../../model/projects.ts'
import type { Storage } from '../storage.ts'
import type { AuditedStorage } from './merges.contract.ts'

type Open = () => Promise<AuditedStorage>

interface Extent {
  readonly sequences: number
  readonly steps: number
}

const DEFAULT_SEED = 30
const BOTH_LANES = ['open', 'security'] as const
const WORDS = ['kettle', 'teapot', 'violin', 'lantern', 'doormat', 'chimney']

/** Random steps never show anything that is not published. */
export function describePublishedIssues(name: string, open: Open, openOther: Open, extent: Extent): void {
  describe(`published issues: ${name}`, () => {
    it('are those of a naive model, and no others, also after an export and an import', async () => {
      const seed = Number(process.env['BUGLE_TEST_SEED'] ?? DEFAULT_SEED)
      process.stdout.write(`published issues, ${name}: BUGLE_TEST_SEED=${seed}\n`)
      using folder = temporaryFolder()
      await using source = await open()
      await using target = await openOther()
      const sequences = Array.from({ length: extent.sequences }, (_, index) =>
        createSequence(index, createRandom(seed + index)),
      )
      for (const sequence of sequences) await source.storage.projects.create(sequence.project)
      for (const sequence of sequences) await play(source.storage, sequence, sequences, extent.steps)
      for (const sequence of sequences) await expectEveryOne(source.storage, sequence)
      expect(await source.listFaults()).toEqual([])

      await importText(target.storage, join(folder.path, 'known.ndjson'), await exportText(source.storage))
      for (const sequence of sequences) await expectEveryOne(target.storage, sequence)
      for (const sequence of sequences)
        await play(target.storage, sequence, sequences, Math.ceil(extent.steps / 5))
      expect(await target.listFaults()).toEqual([])
    })
  })
}

/** A project publishes a limited number of issues. */
export function describeKnownLimit(name: string, open: Open): void {
  it(`at most ${MAX_KNOWN_ISSUES} issues of a project are published: ${name}`, async () => {
    await using stage = await open()
    const { issues, knownIssues, projects } = stage.storage
    const project = projectOf('weather')
    await projects.create(project)
    const numbers = Array.from({ length: MAX_KNOWN_ISSUES + 2 }, (_, index) => index)
    const ids = await fewAtATime(
      numbers,
      async () => receiptOf(await issues.submit(reportFor(project))).issueId,
    )
    const by = { projectId: project.id, lanes: BOTH_LANES, ifVersions: null, actor: null, at: NOW }
    const change = (issueId: IssueId, known: { title: string } | null) =>
      issues.change({ ...by, issueId, patch: { known } })
    const [spare, ...others] = ids as [IssueId, ...IssueId[]]
    const outcomes = await fewAtATime(others, (id) => change(id, { title: `Cloud ${id}` }))
    // One call too many, in the same commit as others that succeed.
    expect(outcomes.filter(({ kind }) => kind === 'changed')).toHaveLength(MAX_KNOWN_ISSUES)
    expect(outcomes.filter(({ kind }) => kind === 'not-published')).toEqual([
      { kind: 'not-published', reason: 'too-many' },
    ])
    const published = others.filter((_, index) => outcomes[index]?.kind === 'changed')
    const [first] = published as [IssueId, ...IssueId[]]
    expect(await change(first, { title: 'Sunset' })).toMatchObject({ kind: 'changed' })
    expect(await change(spare, { title: 'Sunrise' })).toMatchObject({ kind: 'not-published' })
    expect(await issues.delete({ ...by, issueId: first })).toBe('deleted')
    expect(await change(spare, { title: 'Sunrise' })).toMatchObject({ kind: 'changed' })
    expect((await knownIssues.search(project.id, 'sunrise', 3)).map(({ id }) => id)).toEqual([spare])
    expect(await knownIssues.search(project.id, 'cloud', 3)).toHaveLength(3)
  })
}

interface ModelIssue {
  readonly id: IssueId
  isHidden: boolean
  isSpam: boolean
  isDeleted: boolean
  known: { readonly title: string; readonly text: string } | null
  reports: number
}

interface Sequence {
  readonly project: ProjectRecord
  readonly random: Random
  readonly issues: ModelIssue[]
  clock: number
}

function createSequence(index: number, random: Random): Sequence {
  return { project: projectOf(`known-${index}`), random, issues: [], clock: NOW }
}

async function play(
  storage: Storage,
  sequence: Sequence,
  sequences: readonly Sequence[],
  steps: number,
): Promise<void> {
  const { project, random } = sequence
  const { issues } = storage

  for (let step = 0; step < steps; step++) {
    sequence.clock += 1_000
    const at = sequence.clock
    const present = sequence.issues.filter(({ isDeleted }) => !isDeleted)
    const kind = random.pickWeighted({
      ...{ submit: 25, publish: 25, unpublish: 6, category: 14, spam: 8, spamSeveral: 4 },
      ...{ merge: 10, unmerge: 4, delete: 4, deleteSeveral: 2 },
    })
    if (kind === 'submit' || present.length === 0) {
      await submit(storage, sequence, sequences)
      await expectSome(storage, sequence)
      continue
    }
    const issue = random.pick(present)
    const command = {
      ...{ projectId: project.id, issueId: issue.id, lanes: BOTH_LANES, ifVersions: null, actor: null, at },
    }
    if (kind === 'publish') {
      const title = `${random.pick(WORDS)} ${random.pick(WORDS)} nr${step}x${project.slug.slice(-1)}`
      const known = { title, text: `Text ${step}` }
      const outcome = await issues.change({ ...command, patch: { known } })
      const canPublish = !issue.isHidden && !issue.isSpam
      expect(outcome.kind).toBe(canPublish ? 'changed' : 'not-published')
      if (canPublish) issue.known = known
    } else if (kind === 'unpublish') {
      await issues.change({ ...command, patch: { known: null } })
      issue.known = null
    } else if (kind === 'category') {
      issue.isHidden = random.chance(0.4)
      if (issue.isHidden) issue.known = null
      await issues.change({ ...command, patch: { category: issue.isHidden ? 'security' : 'crash' } })
    } else if (kind === 'spam') {
      const isSpam = random.chance(0.6)
      await issues.markSpam({ ...command, isSpam })
      mark(issue, isSpam)
    } else if (kind === 'spamSeveral' || kind === 'deleteSeveral') {
      const some = [...new Set([issue, random.pick(present), random.pick(present)])]
      const isSpam = random.chance(0.6)
      const action = kind === 'deleteSeveral' ? 'delete' : isSpam ? 'mark_spam' : 'unmark_spam'
      await changeSeveral(storage, sequence, some, action)
      for (const one of some) {
        if (action === 'delete') one.isDeleted = true
        else mark(one, isSpam)
      }
    } else if (kind === 'merge') {
      await issues.merge({ ...command, into: random.pick(present).id })
    } else if (kind === 'unmerge') {
      await issues.merge(command)
    } else {
      expect(await issues.delete(command)).toBe('deleted')
      issue.isDeleted = true
    }
    await expectSome(storage, sequence)
  }
}

/** Either change unpublishes an issue, unless it changes nothing. */
function mark(issue: ModelIssue, isSpam: boolean): void {
  if (issue.isSpam !== isSpam) issue.known = null
  issue.isSpam = isSpam
}

/** A report that may name an issue, of this project or another one. */
async function submit(
  { issues }: Storage,
  { project, random, issues: own, clock }: Sequence,
  sequences: readonly Sequence[],
): Promise<void> {
  const category = random.chance(0.2) ? 'security' : 'bug'
  const isSpam = random.chance(0.1)
  const others = sequences.flatMap((sequence) => sequence.issues)
  const named = own.length > 0 && random.chance(0.8) ? random.pick(random.chance(0.8) ? own : others) : null
  const nowhere = mintId('iss', clock, projectNumberOf(project.id))
  const knownIssueId = named?.id ?? (random.chance(0.3) ? nowhere : null)
  const fields = { content: contentOf(category), isSpam, receivedAt: clock, lanes: BOTH_LANES }
  const report = reportFor(project, { ...fields, ...(knownIssueId !== null && { knownIssueId }) })
  const { issueId } = receiptOf(await issues.submit(report))
  const isJoined =
    named !== null && own.includes(named) && isPublished(named) && category === 'bug' && !isSpam
  expect(issueId).toBe(isJoined ? named.id : report.issueId)
  if (isJoined) named.reports++
  else
    own.push({
      id: issueId,
      isHidden: category === 'security',
      isSpam,
      isDeleted: false,
      known: null,
      reports: 1,
    })
}

function isPublished({ known, isHidden, isSpam, isDeleted }: ModelIssue): boolean {
  return known !== null && !isHidden && !isSpam && !isDeleted
}

/** A search for one of the words, and one for an issue. */
async function expectSome(storage: Storage, sequence: Sequence): Promise<void> {
  const { random, issues } = sequence
  await expectOnlyPublished(storage, sequence, random.pick(WORDS))
  if (issues.length > 0) await expectFound(storage, sequence, random.pick(issues))
}

async function expectEveryOne(storage: Storage, sequence: Sequence): Promise<void> {
  for (const word of WORDS) await expectOnlyPublished(storage, sequence, word)
  const listed = await storage.knownIssues.list(sequence.project.id, 2 ** 31 - 1, 1_000)
  const published = sequence.issues.filter(isPublished).map(({ id }) => id)
  expect(listed.map(({ id }) => id).toReversed()).toEqual(published)
  for (const issue of sequence.issues) {
    await expectFound(storage, sequence, issue)
    const stored = await storage.issues.find(sequence.project.id, issue.id)
    expect(stored?.known ?? null).toEqual(isPublished(issue) ? issue.known : null)
  }
}

/** There are as many matches as can be, and each is what the model has published. */
async function expectOnlyPublished(
  { knownIssues }: Storage,
  { project, issues }: Sequence,
  text: string,
): Promise<void> {
  const published = issues.filter(isPublished)
  const matching = published.filter(({ known }) => known?.title.includes(text))
  const found = await knownIssues.search(project.id, text, 3)
  expect(found).toHaveLength(Math.min(3, matching.length))
  for (const { id, title, text: said } of found)
    expect(published.find((issue) => issue.id === id)?.known).toEqual({ title, text: said })
}

/** Its own word finds an issue, as long as it is published. */
async function expectFound(
  { knownIssues }: Storage,
  { project }: Sequence,
  issue: ModelIssue,
): Promise<void> {
  const word = issue.known?.title.split(' ').at(-1)
  if (word === undefined) return
  const found = await knownIssues.search(project.id, `${word} `, 3)
  expect(found.some(({ id }) => id === issue.id)).toBe(isPublished(issue))
}

async function changeSeveral(
  { issues }: Storage,
  { project, clock }: Sequence,
  some: readonly ModelIssue[],
  action: BulkCommand['action'],
): Promise<void> {
  const selected = []
  for (const { id } of some) {
    const { version = 0 } = (await issues.find(project.id, id)) ?? {}
    selected.push({ issueId: id, version })
  }
  const outcome = await issues.changeSeveral({
    projectId: project.id,
    bulkId: `bulk ${clock}`,
    contentHash: 'hash',
    action,
    issues: selected,
    lanes: BOTH_LANES,
    patch: {},
    laneAssignee: null,
    labelNames: {},
    actor: null,
    at: clock,
  })
  expect(outcome.kind).toBe('done')
}
