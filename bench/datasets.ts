import { ISSUE_STATUSES } from '@bugle/contract'
import { progressBar } from '../packages/server/src/cli/terminal/progress.ts'
import { createRandom, type Random } from '../packages/server/src/demo/random.ts'
import { encodeCursor } from '../packages/server/src/domain/cursors.ts'
import { type DemoProject, makeDemoProject } from '../packages/server/src/domain/projects/demo.ts'
import { mintKey } from '../packages/server/src/domain/projects/keys.ts'
import { mintId, type ProjectId, projectNumberOf } from '../packages/server/src/model/ids.ts'
import { everyIssue } from '../packages/server/src/model/issue-lists.ts'
import type { Lane } from '../packages/server/src/model/lanes.ts'
import { hashContent } from '../packages/server/src/model/reports/content-hashes.ts'
import type { NewReport } from '../packages/server/src/model/reports/reports.ts'
import { normaliseSubmission } from '../packages/server/src/model/reports/reports.ts'
import type { Storage } from '../packages/server/src/storage/storage.ts'
import { fingerprintOf, HISTORY_DAYS, someReport } from './reports.ts'

/** Increased when the generated reports change: earlier data sets are then rebuilt. */
export const GENERATOR_VERSION = 3
/** The number of reports in a transaction. */
const STEP = 256
const SAMPLES = 5_000
const TRIAGE_EVERY = 5
const TRIAGED = ISSUE_STATUSES.filter((status) => status !== 'open')
const DAY_MS = 86_400_000

/** The contents of a database, and what requests need to know about it. */
export interface Dataset {
  readonly size: number
  readonly projectId: ProjectId
  readonly slug: string
  readonly publicToken: string
  readonly secretToken: string
  /** A key that reads issues, but not those of the security lane, like most keys and people. */
  readonly teamToken: string
  /** Some of its issues, evenly spread. */
  readonly issueIds: readonly string[]
  readonly fingerprints: readonly string[]
  /** Cursors of the default list, evenly spread. */
  readonly cursors: readonly string[]
}

/** A copy of a data set that a server may change. */
export interface BenchDatabase extends AsyncDisposable {
  readonly url: string
  /** Its size on disk, including index and log. */
  size(): Promise<number>
  /** CPU time of separate database processes; none if the server's threads do the work. */
  cpuMicros(): Promise<number>
}

/** Creates and keeps data sets. */
export interface DatasetStore extends AsyncDisposable {
  readonly name: string
  prepare(size: number): Promise<Dataset>
  copy(dataset: Dataset): Promise<BenchDatabase>
}

/** Fills an empty database through the storage port, with a progress bar. */
export async function fillDataset(storage: Storage, size: number): Promise<Dataset> {
  const random = createRandom(size)
  const start = Date.now() - HISTORY_DAYS * DAY_MS
  const demo = await makeDemoProject(storage, { slug: 'bench', createdAt: start })
  if (demo === undefined) throw new Error('the database is not empty')
  const progress = progressBar(
    { remark: (text) => process.stderr.write(text), showsProgress: process.stderr.isTTY === true },
    `Making ${size.toLocaleString('en')} issues`,
    size,
  )
  const issueIds: string[] = []
  const sampleEvery = Math.max(1, Math.floor(size / SAMPLES))
  for (let first = 1; first <= size; first += STEP) {
    const numbers = numbersFrom(first, Math.min(STEP, size - first + 1))
    const reports = numbers.map((number) =>
      newReport(demo, random, { number, at: start + (number / size) * HISTORY_DAYS * DAY_MS }),
    )
    await Promise.all(reports.map((report) => storage.issues.submit(report)))
    await Promise.all(reports.flatMap((report, index) => triage(storage, report, numbers[index] ?? 0)))
    for (const [index, number] of numbers.entries()) {
      if (number % sampleEvery === 0) issueIds.push(reports[index]?.issueId ?? '')
    }
    progress.show(first + STEP)
  }
  progress.end()
  return manifestOf({ ...demo, teamToken: await addTeamKey(storage, demo) }, size, issueIds)
}

function newReport(
  { project }: DemoProject,
  random: Random,
  { number, at }: { readonly number: number; readonly at: number },
): NewReport {
  const receivedAt = Math.floor(at)
  const submissionId = `loaded-${number.toString().padStart(12, '0')}`
  const submission = { ...someReport(random, submissionId), fingerprint: fingerprintOf(number) }
  const content = normaliseSubmission(submission)
  return {
    projectId: project.id,
    issueId: mintId('iss', receivedAt, projectNumberOf(project.id)),
    receivedAt,
    actor: null,
    lanes: ['open'],
    content,
    submission: { id: submissionId, contentHash: hashContent(content) },
  }
}

/** One issue in five is no longer open. */
function triage(storage: Storage, report: NewReport, number: number): readonly Promise<unknown>[] {
  const status = TRIAGED[(number / TRIAGE_EVERY) % TRIAGED.length]
  if (status === undefined) return []
  const { projectId, issueId, receivedAt: at } = report
  const lanes: readonly Lane[] = ['open', 'security']
  return [
    storage.issues.change({
      projectId,
      issueId,
      lanes,
      patch: { status },
      ifVersions: null,
      actor: null,
      at,
    }),
  ]
}

async function addTeamKey(storage: Storage, { project }: DemoProject): Promise<string> {
  const scopes = ['issues:read'] as const
  const { token, key } = mintKey({
    projectId: project.id,
    kind: 'secret',
    name: 'team',
    scopes,
    origins: [],
    createdAt: project.createdAt,
  })
  await storage.keys.create(key)
  return token
}

function manifestOf(
  demo: DemoProject & Pick<Dataset, 'teamToken'>,
  size: number,
  issueIds: readonly string[],
): Dataset {
  const { project, publicToken, secretToken, teamToken } = demo
  const numbers = someNumbers(size)
  return {
    size,
    projectId: project.id,
    slug: project.slug,
    publicToken,
    secretToken,
    teamToken,
    issueIds,
    fingerprints: numbers.map((number) => fingerprintOf(number)).filter((one) => one !== null),
    cursors: cursorsOf(project.id, size),
  }
}

/** Cursors of the default list. They are bound to its filters, so those of an earlier release may not be valid. */
export function cursorsOf(projectId: ProjectId, size: number): readonly string[] {
  const { lanes: _, searchesReports: __, ...filters } = everyIssue(projectId, [])
  return someNumbers(size).map((number) => encodeCursor([filters, 'newest'], [number, number]))
}

function someNumbers(size: number): readonly number[] {
  const random = createRandom(size + 1)
  return Array.from({ length: SAMPLES }, () => random.integer(30, size))
}

function numbersFrom(first: number, count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => first + index)
}
