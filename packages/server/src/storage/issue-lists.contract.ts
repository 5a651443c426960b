import {
  CATEGORIES,
  ISSUE_SORTS,
  ISSUE_STATUSES,
  type IssueSort,
  MAX_EXAMINED_ROWS,
  PRIORITIES,
} from '@bugle/contract/vocabulary'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRandom, type Random } from '../cli/demo/random.ts'
import { makeProject } from '../domain/projects.ts'
import { normaliseSubmission } from '../domain/report-content.ts'
import { parseSearch } from '../domain/search/search-query.ts'
import { type IssueId, mintId, ordinalOf } from '../ids.ts'
import {
  everyIssue,
  type IssueListing,
  type IssueListPart,
  type IssueSelection,
  type ListStart,
} from './records/issue-lists.ts'
import type { IssuePatch, IssueRecord } from './records/issues.ts'
import { type Lane, laneOf } from './records/lanes.ts'
import type { ProjectRecord } from './records/projects.ts'
import type { Storage } from './storage.ts'

const ISSUES = 100_000
const NEIGHBOUR_ISSUES = 3_000
const CHANGES = 8_000
const DELETIONS = 500
const NOW = Date.UTC(2026, 10, 15)
const OPEN_LANE: readonly Lane[] = ['open']
const SECURITY_LANE: readonly Lane[] = ['security']
const BOTH_LANES: readonly Lane[] = ['open', 'security']
/** Limits of a walk take turns; the API's own is 100. */
const LIMITS = [2_000, 40, 3_000, 1_000]
const MAX_PARTS = 1_000
/** Far more than any part needs, and far less than looking at all issues would take. */
const MAX_PART_MS = 600

/** The lists that every database gives, on a project with 100,000 issues: compared with a filter and a sort in memory. */
export function describeIssueLists(
  name: string,
  open: () => Promise<Storage & AsyncDisposable>,
  issues = ISSUES,
): void {
  describe(`issue lists: ${name}`, { timeout: 120_000 }, () => {
    let storage: Storage & AsyncDisposable
    let world: World
    let slowestMs = 0
    const slow: string[] = []

    beforeAll(async () => {
      storage = await open()
      world = await seed(storage, issues)
    }, 90_000)
    afterAll(async () => {
      process.stdout.write(`slowest part of a list: ${Math.round(slowestMs)} ms\n`)
      await storage[Symbol.asyncDispose]()
    })

    /** Lists, and notes what takes too long three times in a row: once may be the machine's fault. */
    async function list(listing: IssueListing): Promise<IssueListPart> {
      const times: number[] = []
      for (;;) {
        const began = performance.now()
        const part = await storage.issues.list(listing)
        times.push(performance.now() - began)
        const ms = Math.min(...times)
        if (ms > MAX_PART_MS && times.length < 3) continue
        slowestMs = Math.max(slowestMs, ms)
        if (ms > MAX_PART_MS) slow.push(`${Math.round(ms)} ms: ${JSON.stringify(listing)}`)
        return part
      }
    }

    /** The issues of a whole list, part by part. */
    async function walk(
      selection: IssueSelection,
      sort: IssueSort,
      betweenParts: () => Promise<void> = async () => {},
    ): Promise<IssueRecord[]> {
      const seen: IssueRecord[] = []
      let start: ListStart = { offset: 0 }
      for (let part = 0; part < MAX_PARTS; part++) {
        const limit = LIMITS[part % LIMITS.length] ?? 100
        const { issues, next } = await list({ selection, sort, start, limit })
        if (issues.length > limit) throw new Error(`${issues.length} rows where ${limit} were asked for`)
        seen.push(...issues)
        if (next === null) return seen
        start = { after: next }
        await betweenParts()
      }
      throw new Error('the walk does not end')
    }

    /** A page may end early, where enough rows were looked at; then it says that there is more. */
    async function expectPages({ selection, expected, certain }: Found, sort: IssueSort): Promise<void> {
      for (const [offset, limit] of pagesOf(expected.length)) {
        const { issues, next } = await list({ selection, sort, start: { offset }, limit })
        const slice = expected.slice(offset, offset + issues.length)
        expect(firstDifference(numbersOf(issues), slice)).toBeNull()
        expect(issues.length).toBeGreaterThanOrEqual(Math.min(limit, certain - offset))
        if (offset + issues.length < expected.length) expect(next).not.toBeNull()
      }
    }

    it('show every issue as it is found by its id', async () => {
      const listed = await walk(everyIssue(world.project.id, BOTH_LANES), 'newest')
      const stored = world.sorted('newest')
      const strange = listed.filter((issue, index) => JSON.stringify(issue) !== JSON.stringify(stored[index]))
      expect(strange.slice(0, 3)).toEqual([])
      expect(listed).toHaveLength(stored.length)
    })

    describe.each(CASES)('$title', (wish) => {
      it.each(ISSUE_SORTS)('sorted by %s, are those of a filter in memory', async (sort) => {
        // Taking turns halves the time, and each selection is still walked with both sights.
        const isOdd = (CASES.indexOf(wish) + ISSUE_SORTS.indexOf(sort)) % 2 === 1
        const found = world.find(wish, isOdd ? OPEN_LANE : BOTH_LANES, sort)
        const seen = await walk(found.selection, sort)
        expect(firstDifference(numbersOf(seen), found.expected)).toBeNull()
        await expectPages(found, sort)
      })

      it('are counted, unless too many have to be looked at', async () => {
        for (const lanes of [OPEN_LANE, BOTH_LANES, SECURITY_LANE]) {
          const { selection, expected, isCountable } = world.find(wish, lanes, 'newest')
          const count = await storage.issues.count(selection)
          if (count !== null || isCountable) expect(count).toBe(expected.length)
        }
      })

      it('of the security lane alone are found, too', async () => {
        const { selection, expected } = world.find(wish, SECURITY_LANE, 'newest')
        expect(firstDifference(numbersOf(await walk(selection, 'newest')), expected)).toBeNull()
      })
    })

    describe('found by a word that half of all issues have', () => {
      it.each(['newest', 'oldest'] as const)('sorted by %s, are all there', async (sort) => {
        const { selection, expected } = world.find(COMMON_CASE, OPEN_LANE, sort)
        expect(expected.length).toBeGreaterThan(2 * MAX_EXAMINED_ROWS)
        expect(firstDifference(numbersOf(await walk(selection, sort)), expected)).toBeNull()
      })

      it('are the newest 10,000 in other orders', async () => {
        const { expected } = world.find(COMMON_CASE, OPEN_LANE, 'newest')
        const newest = new Set(expected.slice(0, MAX_EXAMINED_ROWS))
        for (const sort of ['updated', 'reports', 'priority'] as const) {
          const { selection, expected: inOrder } = world.find(COMMON_CASE, OPEN_LANE, sort)
          const seen = await walk(selection, sort)
          const kept = inOrder.filter((number) => newest.has(number))
          expect(firstDifference(numbersOf(seen), kept)).toBeNull()
        }
      })
    })

    it.each(ISSUE_SORTS)('sorted by %s, never lead out of their project', async (sort) => {
      const wanderings = [-1, 0, 2 ** 32, 2 ** 33, -(2 ** 33), Number.MAX_SAFE_INTEGER]
      const own = new Set(world.sorted('newest').map(({ id }) => id))
      for (const number of wanderings) {
        for (const key of [number, Number.MAX_SAFE_INTEGER]) {
          for (const search of [null, parseSearch('app')]) {
            const selection = { ...everyIssue(world.project.id, BOTH_LANES), search }
            const { issues } = await list({ selection, sort, start: { after: { key, number } }, limit: 100 })
            expect(issues.filter(({ id }) => !own.has(id))).toEqual([])
          }
        }
      }
    })

    describe('while issues change', () => {
      const random = createRandom(9)

      it.each(ISSUE_SORTS)('sorted by %s, show those that do not exactly once', async (sort) => {
        for (const wish of CHANGING_CASES) {
          const { selection, expected } = createWorld(world.project, [...world.current.values()]).find(
            wish,
            BOTH_LANES,
            sort,
          )
          const touched = new Set<number>()
          const seen = await walk(selection, sort, async () => {
            for (const number of await disturb(storage, world, random)) touched.add(number)
          })
          const unchanged = expected.filter((number) => !touched.has(number))
          const steady = numbersOf(seen).filter((number) => !touched.has(number))
          expect(firstDifference(steady, unchanged)).toBeNull()
          expect(unchanged.length).toBeGreaterThan(touched.size / 2)
        }
      })
    })

    it('find new, changed and deleted texts alike before and after the index has caught up', async () => {
      const project = await addProject(storage, 'fresh')
      const random = createRandom(8)
      const ids = await submitMany(storage, project, 2_000, random)
      const expectFound = async () => {
        const fresh = createWorld(project, await findAll(storage, project, ids))
        for (const search of [...SEARCHES, COMMON_CASE.search]) {
          for (const lanes of [OPEN_LANE, BOTH_LANES, SECURITY_LANE]) {
            const { selection, expected } = fresh.find({ title: '', filters: {}, search }, lanes, 'oldest')
            expect(firstDifference(numbersOf(await walk(selection, 'oldest')), expected)).toBeNull()
            expect(await storage.issues.count(selection)).toBe(expected.length)
          }
        }
      }
      const change = async () => {
        await inChunks(300, () => storage.issues.change(changeOf(project, random.pick(ids), random)))
        await inChunks(20, () => storage.issues.delete(orderFor(project, random.pick(ids), minute(120))))
      }
      await expectFound()
      await change()
      await expectFound()
      await new Promise((resolve) => setTimeout(resolve, 1_200))
      await expectFound()
      await change()
      await expectFound()
    })

    it('never take long for a part', () => {
      expect(slow).toEqual([])
    })
  })
}

interface World {
  readonly project: ProjectRecord
  /** The issues as they were seeded. */
  sorted(sort: IssueSort): readonly IssueRecord[]
  /** The issues as they are now, by number. */
  readonly current: Map<number, IssueRecord>
  find(wish: Case, lanes: readonly Lane[], sort: IssueSort): Found
}

interface Found {
  readonly selection: IssueSelection
  readonly expected: readonly number[]
  /** How many of them the first part of a list holds at least, should its limit allow it. */
  readonly certain: number
  /** Whether few enough have to be looked at, or counters know. */
  readonly isCountable: boolean
}

/** Looks for words in a text that has a space around each of them, in lower case. */
type Finds = (text: string) => boolean

interface Search {
  readonly q: string
  readonly finds: Finds
}

type Filters = Partial<Omit<IssueSelection, 'projectId' | 'lanes' | 'search'>>

interface Case {
  readonly title: string
  readonly filters: Filters
  readonly search?: Search
}

const has =
  (...parts: readonly string[]): Finds =>
  (text) =>
    parts.every((part) => text.includes(part))

/** What each finds is written down here by hand, not taken from the tokenizer. */
const SEARCHES: readonly Search[] = [
  { q: 'syncload', finds: has(' syncload ') },
  { q: 'SYNCLOAD Payera', finds: has(' syncload ', ' payera ') },
  { q: 'syncin*', finds: has(' syncin') },
  { q: 'chat* upl*', finds: has(' chat', ' upl') },
  { q: '"crash screen"', finds: has(' crash screen ') },
  { q: '"crash screen" login', finds: has(' crash screen ', ' login ') },
  { q: '"the app cra"*', finds: has(' the app cra') },
  { q: 'rare7', finds: has(' rare7 ') },
  { q: 'rare77*', finds: has(' rare77') },
  { q: 'cafe', finds: has(' café ') },
  { q: 'STRASSE', finds: has(' straße ') },
  { q: '定画', finds: has('設定画面') },
  { q: '面', finds: has('設定画面') },
  { q: 'バグ', finds: has('バグ') },
  { q: '설정', finds: has('설정에서') },
  { q: '"설정"', finds: () => false },
  { q: '👍🏽', finds: has('👍') },
  { q: '💻 -sign-in-', finds: has('👩‍💻', ' sign-in ') },
  { q: 'sign', finds: has(' sign-in ') },
  { q: 'NOT absent', finds: () => false },
]
const COMMON_CASE = { title: 'common', filters: {}, search: { q: 'app', finds: has(' app ') } } as const

/** Some minutes into the seeded time, which is about forty minutes long. */
const minute = (minutes: number) => NOW + minutes * 60_000

const FILTERS: readonly Filters[] = [
  {},
  ...ISSUE_STATUSES.map((status) => ({ statuses: [status] })),
  { statuses: ['resolved', 'closed', 'wontfix'] },
  { categories: ['performance'] },
  { categories: ['security'] },
  { categories: ['security', 'ui_ux'] },
  { priorities: ['critical'] },
  { priorities: ['low', 'critical'] },
  { platforms: ['ios'] },
  { platforms: ['tvos'] },
  { platforms: ['web', 'tvos', 'toaster'] },
  { platforms: ['toaster'] },
  { appVersions: ['1.0.7'] },
  { appVersions: ['1.0.1', '1.0.39', '9.9.9'] },
  { branches: ['release/2.4'] },
  { branches: ['main', 'release/2.4'] },
  { createdAfter: minute(40) },
  { createdBefore: minute(2) },
  { createdAfter: minute(20), createdBefore: minute(21) },
  { createdAfter: minute(99) },
  { statuses: ['open'], priorities: ['critical'] },
  { statuses: ['wontfix'], priorities: ['high', 'critical'] },
  { statuses: ['resolved'], categories: ['security'] },
  { statuses: ['acknowledged'], categories: ['crash', 'security'] },
  { statuses: ['open', 'in_progress'], platforms: ['tvos'] },
  { statuses: ['closed'], createdAfter: minute(30) },
  { categories: ['crash'], priorities: ['critical'] },
  { categories: ['security'], platforms: ['android', 'web'] },
  { priorities: ['low'], branches: ['release/2.4'] },
  { platforms: ['tvos'], appVersions: ['1.0.3', '1.0.4', '1.0.5'] },
  { appVersions: ['1.0.2'], createdBefore: minute(10) },
  { statuses: ['open'], categories: ['security'], priorities: ['critical'] },
  { statuses: ['in_progress', 'resolved'], platforms: ['ios', 'android'], priorities: ['high'] },
  { categories: ['bug'], appVersions: ['1.0.11'], branches: ['main'] },
  { platforms: ['web'], createdAfter: minute(5), createdBefore: minute(9) },
  { statuses: ['open'], platforms: ['tvos'], branches: ['main'] },
  { priorities: ['critical'], categories: ['performance'], createdAfter: minute(35) },
]

const SEARCHED_FILTERS: readonly (readonly [search: string, filters: Filters])[] = [
  ['syncin*', { statuses: ['resolved'] }],
  ['syncin*', { statuses: ['open', 'closed'], priorities: ['critical'] }],
  ['syncload', { categories: ['security'] }],
  ['cafe', { platforms: ['ios', 'web'] }],
  ['"crash screen"', { createdAfter: minute(30) }],
  ['定画', { statuses: ['acknowledged', 'wontfix'] }],
  ['👍🏽', { branches: ['release/2.4'], priorities: ['low', 'medium'] }],
  ['rare77*', { categories: ['bug', 'crash'] }],
]

const CASES: readonly Case[] = [
  ...FILTERS.map((filters) => ({ title: titleOf(filters), filters })),
  ...SEARCHES.map((search) => ({ title: titleOf({ q: search.q }), filters: {}, search })),
  ...SEARCHED_FILTERS.flatMap(([q, filters]) =>
    SEARCHES.filter((search) => search.q === q).map((search) => ({
      title: titleOf({ q, ...filters }),
      filters,
      search,
    })),
  ),
]

function titleOf(wish: object): string {
  return `issues ${JSON.stringify(wish).replaceAll('"', '').slice(1, -1) || 'without a filter'}`
}

const CHANGING_CASES: readonly Case[] = CASES.filter(({ title }) =>
  ['issues without a filter', 'issues platforms:[ios]', 'issues q:syncin*'].includes(title),
)

async function seed(storage: Storage, issues: number): Promise<World> {
  const random = createRandom(3)
  const before = await addProject(storage, 'before')
  const project = await addProject(storage, 'weather')
  const after = await addProject(storage, 'after')
  await submitMany(storage, before, NEIGHBOUR_ISSUES, random)
  const ids = await submitMany(storage, project, issues, random)
  await submitMany(storage, after, NEIGHBOUR_ISSUES, random)
  await inChunks(CHANGES, () => storage.issues.change(changeOf(project, random.pick(ids), random)))
  await inChunks(DELETIONS, () => storage.issues.delete(orderFor(project, random.pick(ids), minute(120))))
  return createWorld(project, await findAll(storage, project, ids))
}

async function findAll(storage: Storage, project: ProjectRecord, ids: readonly IssueId[]) {
  const issues: IssueRecord[] = []
  for (const id of ids) {
    const issue = await storage.issues.find(project.id, id)
    if (issue !== undefined) issues.push(issue)
  }
  return issues
}

function createWorld(project: ProjectRecord, issues: readonly IssueRecord[]): World {
  const sorted = remember((sort: IssueSort) => inOrder(issues, sort))
  const findOnce = remember(({ finds }: Search) => issues.filter((issue) => finds(textAround(issue))))

  return {
    project,
    sorted,
    current: new Map(issues.map((issue) => [issue.issueNumber, issue])),
    find({ filters, search }, lanes, sort) {
      const matches = search && new Set(findOnce(search))
      const visible = sorted(sort).filter(
        (issue) => lanes.includes(laneOf(issue.category)) && matches?.has(issue) !== false,
      )
      const { statuses, ...others } = filters
      const ofStatus = statuses ? visible.filter((issue) => passes(issue, { statuses })) : visible
      const expected = ofStatus.filter((issue) => passes(issue, filters))
      const isIndexed = Object.keys(others).length === 0 && (sort === 'newest' || sort === 'oldest')
      const examined = isIndexed && !search ? expected : visible.slice(0, MAX_EXAMINED_ROWS)
      const lookedAt = search ? visible : ofStatus
      const isCounted = !search && COUNTED_FILTERS.has(Object.keys(filters).join())
      return {
        selection: {
          ...everyIssue(project.id, lanes),
          ...filters,
          search: search ? parseSearch(search.q) : null,
        },
        expected: numbersOf(expected),
        certain: examined.filter((issue) => passes(issue, filters)).length,
        isCountable: isCounted || lookedAt.length <= MAX_EXAMINED_ROWS,
      }
    },
  }
}

/** What counters know when it is all that is asked for. */
const COUNTED_FILTERS: ReadonlySet<string> = new Set(['', 'statuses', 'categories', 'priorities'])

/** The text of an issue with a space around each word; no phrase goes from the title on into the description. */
function textAround({ title, description }: IssueRecord): string {
  return ` ${title} \n ${description ?? ''} `.toLowerCase()
}

function remember<K, V>(compute: (key: K) => V): (key: K) => V {
  const known = new Map<K, V>()
  return (key) => {
    const value = known.get(key) ?? compute(key)
    known.set(key, value)
    return value
  }
}

function passes(issue: IssueRecord, filters: Filters): boolean {
  const isOneOf = (values: readonly string[] | null | undefined, value: string | null) =>
    !values || (value !== null && values.includes(value))
  return (
    isOneOf(filters.statuses, issue.status) &&
    isOneOf(filters.categories, issue.category) &&
    isOneOf(filters.priorities, issue.priority) &&
    isOneOf(filters.platforms, issue.platform) &&
    isOneOf(filters.appVersions, issue.appVersion) &&
    isOneOf(filters.branches, issue.branch) &&
    issue.createdAt >= (filters.createdAfter ?? 0) &&
    issue.createdAt < (filters.createdBefore ?? Number.POSITIVE_INFINITY)
  )
}

/** By what is sorted by, ties by number, both in the same direction. */
function inOrder(issues: readonly IssueRecord[], sort: IssueSort): readonly IssueRecord[] {
  const direction = sort === 'oldest' ? 1 : -1
  const keyOf = KEYS[sort]
  return issues.toSorted((a, b) => direction * (keyOf(a) - keyOf(b) || a.issueNumber - b.issueNumber))
}

const KEYS: Readonly<Record<IssueSort, (issue: IssueRecord) => number>> = {
  newest: ({ issueNumber }) => issueNumber,
  oldest: ({ issueNumber }) => issueNumber,
  updated: ({ updatedAt }) => updatedAt,
  reports: ({ reportCount }) => reportCount,
  priority: ({ priority }) => PRIORITIES.indexOf(priority),
}

async function addProject(storage: Storage, slug: string): Promise<ProjectRecord> {
  const project = makeProject({ slug, name: slug, isPublic: false, defaultBranch: 'main', createdAt: NOW })
  await storage.projects.create(project)
  return project
}

/** Submits reports until so many issues or a few more are stored; some join others. */
async function submitMany(storage: Storage, project: ProjectRecord, wanted: number, random: Random) {
  const ids: IssueId[] = []
  for (let number = 0; ids.length < wanted; ) {
    const outcomes = await inChunks(Math.min(CHUNK, wanted), () =>
      storage.issues.submit(reportFor(project, number++, random)),
    )
    for (const outcome of outcomes) if (outcome.kind === 'stored') ids.push(outcome.receipt.issueId)
  }
  return ids
}

const CHUNK = 4_000

async function inChunks<T>(count: number, work: () => Promise<T>): Promise<readonly T[]> {
  const results: T[] = []
  while (results.length < count) {
    const chunk = Math.min(CHUNK, count - results.length)
    results.push(...(await Promise.all(Array.from({ length: chunk }, work))))
  }
  return results
}

function reportFor(project: ProjectRecord, number: number, random: Random) {
  // Whole seconds, forwards and a little back: many are equal, and the order of times is not that of numbers.
  const receivedAt = NOW + (Math.floor(number / 40) + random.integer(-90, 90)) * 1_000
  return {
    projectId: project.id,
    issueId: mintId('iss', receivedAt, ordinalOf(project.id)),
    receivedAt,
    actor: null,
    lanes: BOTH_LANES,
    submission: null,
    content: normaliseSubmission({
      title: textOf(3, random),
      description: random.chance(0.3) ? null : textOf(random.integer(4, 14), random),
      category: random.pickWeighted({ bug: 60, crash: 20, performance: 8, ui_ux: 4, security: 8 }),
      priority: random.pickWeighted({ low: 20, medium: 65, high: 12, critical: 3 }),
      platform: random.chance(0.1)
        ? null
        : random.pickWeighted({ ios: 15, android: 60, web: 10, tvos: 1, linux: 14 }),
      appVersion: random.chance(0.1) ? null : `1.0.${random.integer(0, 39)}`,
      branch: random.chance(0.2) ? null : random.pickWeighted({ main: 5, develop: 80, 'release/2.4': 1 }),
      fingerprint: random.chance(0.06) ? `f${Math.floor(random.fraction() ** 3 * 3_000)}` : null,
    }),
  }
}

const COMMON_WORDS = ['the', 'app', 'crash', 'screen', 'button', 'when', 'after', 'is', 'not', 'login']
const BEGINNINGS = ['sett', 'log', 'sync', 'pay', 'not', 'down', 'upl', 'map', 'cam', 'chat'].flatMap(
  (beginning) => [beginning, `re${beginning}`],
)
const ENDINGS = ['ings', 'in', 'ment', 'ify', 'load', 'era', 'er', 'able', 'ing', 'ed']
const SPECIAL_WORDS = 'Café Straße 設定画面 バグ 설정에서 👍 👍🏽 👩‍💻 sign-in 💥'.split(' ')

/** Words with a space between: common ones in half of all issues, others in some thousand, rare ones in ten. */
function textOf(words: number, random: Random): string {
  return Array.from({ length: words }, () => {
    const kind = random.pickWeighted({ common: 60, usual: 35, special: 4, rare: 1 })
    if (kind === 'common') return random.pick(COMMON_WORDS)
    if (kind === 'usual') return random.pick(BEGINNINGS) + random.pick(ENDINGS)
    return kind === 'special' ? random.pick(SPECIAL_WORDS) : `rare${random.integer(0, 999)}`
  }).join(' ')
}

function changeOf(project: ProjectRecord, issueId: IssueId, random: Random) {
  const patches: readonly (() => IssuePatch)[] = [
    () => ({ status: random.pick(ISSUE_STATUSES) }),
    () => ({ status: random.pick(ISSUE_STATUSES), priority: random.pick(PRIORITIES) }),
    () => ({ category: random.pick(['security', ...CATEGORIES]) }),
    () => ({ title: textOf(3, random) }),
    () => ({ description: random.chance(0.2) ? null : textOf(6, random) }),
  ]
  const at = minute(60) + random.integer(0, 2_000) * 1_000
  return { ...orderFor(project, issueId, at), patch: random.pick(patches)(), ifVersions: null }
}

/** Changes, deletes, makes and joins some issues, and returns the numbers of all it touched. */
async function disturb(storage: Storage, world: World, random: Random): Promise<readonly number[]> {
  const { project, current } = world
  const issues = [...current.values()]
  const touched = new Map(
    Array.from({ length: 24 }, () => random.pick(issues)).map((issue) => [issue.id, issue.issueNumber]),
  )
  const [...ids] = touched.keys()
  await Promise.all([
    ...ids.slice(3).map((id) => storage.issues.change(changeOf(project, id, random))),
    ...ids.slice(0, 3).map((id) => storage.issues.delete(orderFor(project, id, minute(120)))),
  ])
  const outcomes = await inChunks(12, () => storage.issues.submit(reportFor(project, 0, random)))
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

function orderFor(project: ProjectRecord, issueId: IssueId, at: number) {
  return { projectId: project.id, issueId, lanes: ['open', 'security'], actor: null, at } as const
}

function* pagesOf(rows: number): Iterable<readonly [offset: number, limit: number]> {
  yield [0, 25]
  if (rows > 0) yield [Math.floor(Math.min(rows, MAX_EXAMINED_ROWS) / 2), 100]
  if (rows < MAX_EXAMINED_ROWS) yield [rows, 25]
}

function numbersOf(issues: readonly Pick<IssueRecord, 'issueNumber'>[]): readonly number[] {
  return issues.map(({ issueNumber }) => issueNumber)
}

/** Where two long lists part, in a few words. */
function firstDifference(actual: readonly number[], expected: readonly number[]) {
  const index = Array.from({ length: Math.max(actual.length, expected.length) }).findIndex(
    (_, place) => actual[place] !== expected[place],
  )
  if (index === -1) return null
  const around = (list: readonly number[]) => ({ length: list.length, there: list.slice(index, index + 3) })
  return { index, actual: around(actual), expected: around(expected) }
}
