import { CATEGORIES, ISSUE_STATUSES, PRIORITIES } from '@bugle/contract/vocabulary'
import { createRandom, type Random } from '../../src/demo/random.ts'
import { type IssueId, mintId, projectNumberOf } from '../../src/model/ids.ts'
import type { ListBounds } from '../../src/model/issue-lists.ts'
import type { IssuePatch, StoredIssue } from '../../src/model/issues.ts'
import type { Lane } from '../../src/model/lanes.ts'
import type { ProjectRecord } from '../../src/model/projects.ts'
import type { Reporter } from '../../src/model/reports/reporters.ts'
import { normaliseSubmission } from '../../src/model/reports/reports.ts'
import type { Storage } from '../../src/storage/storage.ts'
import { plainProject } from '../plain-reports.ts'
import { ASSIGNEES, LABELLED, minute, NOW, REPORTERS } from './cases.ts'
import { createWorld, type World } from './world.ts'

/** Shares of the project's issues. */
const NEIGHBOURS = 0.03
const CHANGES = 0.08
const DELETIONS = 0.005
const FINGERPRINTS = 0.03
/** The time in which all reports of a project arrive. */
const SEEDED_SECONDS = 2_500
const MIN_RARE_WORDS = 100
const BOTH_LANES: readonly Lane[] = ['open', 'security']
/** The number of concurrent calls. */
const CHUNK = 4_000

/** Fills a database: one project with this many issues, between two smaller ones. */
export async function seed(storage: Storage, issues: number, bounds: ListBounds): Promise<World> {
  const random = createRandom(3)
  const before = await addProject(storage, 'before')
  const project = await addProject(storage, 'weather')
  const after = await addProject(storage, 'after')
  await submitMany(storage, before, issues * NEIGHBOURS, random)
  const ids = await submitMany(storage, project, issues, random)
  await submitMany(storage, after, issues * NEIGHBOURS, random)
  await inChunks(issues * CHANGES, () => storage.issues.change(changeOf(project, random.pick(ids), random)))
  await assignMany(storage, project, ids)
  await inChunks(issues * DELETIONS, () =>
    storage.issues.delete(commandFor(project, random.pick(ids), minute(120))),
  )
  return createWorld(project, await findAll(storage, project, ids), bounds)
}

/** Assigns issues of both lanes to people, and gives them labels. */
async function assignMany(storage: Storage, project: ProjectRecord, ids: readonly IssueId[]): Promise<void> {
  const random = createRandom(5)
  for (const [assigneeId, share] of ASSIGNEES)
    await inChunks(Math.round(ids.length * share), () => {
      const command = commandFor(project, random.pick(ids), minute(110) + random.integer(0, 500) * 1_000)
      return storage.issues.change({
        ...command,
        patch: { assigneeId },
        laneAssignee: assigneeId,
        ifVersions: null,
      })
    })
  for (const [labels, share] of LABELLED)
    await inChunks(Math.round(ids.length * share), () => {
      const command = commandFor(project, random.pick(ids), minute(110) + random.integer(0, 500) * 1_000)
      return storage.issues.change({ ...command, patch: { labels }, ifVersions: null })
    })
}

/** The issues that exist, each found by its id. */
export async function findAll(
  storage: Storage,
  project: ProjectRecord,
  ids: readonly IssueId[],
): Promise<readonly StoredIssue[]> {
  const left = ids.values()
  const found = await inChunks(ids.length, () =>
    storage.issues.find(project.id, left.next().value as IssueId),
  )
  return found.filter((issue) => issue !== undefined)
}

export async function addProject(storage: Storage, slug: string): Promise<ProjectRecord> {
  const project = plainProject(slug, NOW)
  await storage.projects.create(project)
  return project
}

/** Submits reports until at least this many issues are stored; some reports join issues. */
export async function submitMany(storage: Storage, project: ProjectRecord, wanted: number, random: Random) {
  const ids: IssueId[] = []
  for (let number = 0; ids.length < wanted; ) {
    const outcomes = await inChunks(Math.min(CHUNK, wanted), () =>
      storage.issues.submit(reportFor(project, number++ / wanted, random, wanted)),
    )
    for (const outcome of outcomes) if (outcome.kind === 'stored') ids.push(outcome.receipt.issueId)
  }
  return ids
}

/** Runs a task this many times, many of them concurrently. */
export async function inChunks<T>(count: number, work: () => Promise<T>): Promise<readonly T[]> {
  const results: T[] = []
  while (results.length < count) {
    const chunk = Math.min(CHUNK, count - results.length)
    results.push(...(await Promise.all(Array.from({ length: chunk }, work))))
  }
  return results
}

/** The report that arrives after this share of all reports. */
function reportFor(project: ProjectRecord, share: number, random: Random, issues: number) {
  // Whole seconds, mostly increasing: many are equal, and the order of times differs from the order of numbers.
  const receivedAt = NOW + (Math.floor(share * SEEDED_SECONDS) + random.integer(-90, 90)) * 1_000
  const rareWords = Math.max(MIN_RARE_WORDS, issues / 100)
  const fingerprint = () =>
    random.chance(0.06) ? `f${Math.floor(random.fraction() ** 3 * FINGERPRINTS * issues)}` : null
  const content = normaliseSubmission({
    title: textOf(3, random, rareWords),
    description: random.chance(0.3) ? null : textOf(random.integer(4, 14), random, rareWords),
    category: random.pickWeighted({ bug: 60, crash: 20, performance: 8, ui_ux: 4, security: 8 }),
    priority: random.pickWeighted({ low: 20, medium: 65, high: 12, critical: 3 }),
    platform: random.chance(0.1)
      ? null
      : random.pickWeighted({ ios: 15, android: 60, web: 10, tvos: 1, linux: 14 }),
    appVersion: random.chance(0.1) ? null : `1.0.${random.integer(0, 39)}`,
    branch: random.chance(0.2) ? null : random.pickWeighted({ main: 5, develop: 80, 'release/2.4': 1 }),
    fingerprint: fingerprint(),
  })
  return {
    projectId: project.id,
    issueId: mintId('iss', receivedAt, projectNumberOf(project.id)),
    receivedAt,
    actor: null,
    lanes: BOTH_LANES,
    submission: null,
    content: content.fingerprint === null ? { ...content, reporter: reporterAt(share) } : content,
  }
}

/** Spread evenly, and without drawing a random number. */
function reporterAt(share: number): Reporter | null {
  const draw = (share * 7919 * 1_000) % 1_000
  return REPORTERS.find(([, upTo]) => draw < upTo)?.[0] ?? null
}

const COMMON_WORDS = ['the', 'app', 'crash', 'screen', 'button', 'when', 'after', 'is', 'not', 'login']
const BEGINNINGS = ['sett', 'log', 'sync', 'pay', 'not', 'down', 'upl', 'map', 'cam', 'chat'].flatMap(
  (beginning) => [beginning, `re${beginning}`],
)
const ENDINGS = ['ings', 'in', 'ment', 'ify', 'load', 'era', 'er', 'able', 'ing', 'ed']
const SPECIAL_WORDS = 'Café Straße 設定画面 バグ 설정에서 👍 👍🏽 👩‍💻 sign-in 💥'.split(' ')

/** Words separated by spaces: common ones in half of all issues, others in a few percent, rare ones in ten issues. */
function textOf(words: number, random: Random, rareWords: number): string {
  return Array.from({ length: words }, () => {
    const kind = random.pickWeighted({ common: 60, usual: 35, special: 4, rare: 1 })
    if (kind === 'common') return random.pick(COMMON_WORDS)
    if (kind === 'usual') return random.pick(BEGINNINGS) + random.pick(ENDINGS)
    return kind === 'special' ? random.pick(SPECIAL_WORDS) : `rare${random.integer(0, rareWords - 1)}`
  }).join(' ')
}

/** One of the changes that people make. */
export function changeOf(project: ProjectRecord, issueId: IssueId, random: Random) {
  const patches: readonly (() => IssuePatch)[] = [
    () => ({ status: random.pick(ISSUE_STATUSES) }),
    () => ({ status: random.pick(ISSUE_STATUSES), priority: random.pick(PRIORITIES) }),
    () => ({ category: random.pick(['security', ...CATEGORIES]) }),
    () => ({ title: textOf(3, random, MIN_RARE_WORDS) }),
    () => ({ description: random.chance(0.2) ? null : textOf(6, random, MIN_RARE_WORDS) }),
  ]
  const at = minute(60) + random.integer(0, 2_000) * 1_000
  return { ...commandFor(project, issueId, at), patch: random.pick(patches)(), ifVersions: null }
}

/** Changes, deletes and creates some issues and adds reports, and returns the numbers of all affected issues. */
export async function disturb(storage: Storage, world: World, random: Random): Promise<readonly number[]> {
  const { project, current } = world
  const issues = [...current.values()]
  const touched = new Map(
    Array.from({ length: 24 }, () => random.pick(issues)).map((issue) => [issue.id, issue.issueNumber]),
  )
  const [...ids] = touched.keys()
  await Promise.all([
    ...ids.slice(3).map((id) => storage.issues.change(changeOf(project, id, random))),
    ...ids.slice(0, 3).map((id) => storage.issues.delete(commandFor(project, id, minute(120)))),
  ])
  const outcomes = await inChunks(12, () =>
    storage.issues.submit(reportFor(project, 0, random, current.size)),
  )
  for (const outcome of outcomes) {
    if ('receipt' in outcome) touched.set(outcome.receipt.issueId, outcome.receipt.issueNumber)
  }
  for (const [id, number] of touched) {
    const issue = await storage.issues.find(project.id, id)
    if (issue === undefined) current.delete(number)
    else current.set(number, issue)
  }
  return [...touched.values()]
}

/** A change to an issue by a caller who sees everything. */
export function commandFor(project: ProjectRecord, issueId: IssueId, at: number) {
  return { projectId: project.id, issueId, lanes: ['open', 'security'], actor: null, at } as const
}
