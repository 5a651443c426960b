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
  type IssuePatch,
  type IssueRecord,
  type IssueSelection,
  type Lane,
  type ListStart,
  laneOf,
  type ProjectRecord,
} from './records.ts'
import type { Storage } from './storage.ts'

const ISSUES = 100_000
const NEIGHBOUR_ISSUES = 3_000
const CHANGES = 8_000
const DELETIONS = 500
const NOW = Date.UTC(2026, 10, 15)
const LANES: readonly (readonly Lane[])[] = [['open'], ['open', 'security']]
/** Limits of a walk take turns; the API's own is 100. */
const LIMITS = [1_000, 3_000, 100, 2_500, 7]
const MAX_CALL_MS = 250

/** The lists that every database gives, on a project with 100,000 issues: compared with a filter and a sort in memory. */
export function describeIssueLists(name: string, open: () => Promise<Storage & AsyncDisposable>): void {
  describe(`issue lists: ${name}`, { timeout: 120_000 }, () => {
    let storage: Storage & AsyncDisposable
    let world: World
    const slow: string[] = []
    let slowestMs = 0

    beforeAll(async () => {
      storage = await open()
      world = await seed(storage)
    }, 90_000)
    afterAll(async () => {
      process.stdout.write(`slowest part of a list: ${Math.round(slowestMs)} ms\n`)
      await storage[Symbol.asyncDispose]()
    })

    /** Lists, and notes what takes too long twice in a row: once may be the machine's fault. */
    async function list(listing: IssueListing): Promise<IssueListPart> {
      const times: number[] = []
      for (;;) {
        const began = performance.now()
        const part = await storage.issues.list(listing)
        times.push(performance.now() - began)
        const ms = Math.min(...times)
        if (ms <= MAX_CALL_MS || times.length === 3) {
          slowestMs = Math.max(slowestMs, ms)
          if (ms > MAX_CALL_MS) slow.push(`${Math.round(ms)} ms: ${JSON.stringify(listing)}`)
          return part
        }
      }
    }

    /** The numbers of a whole list, part by part. */
    async function walk(
      selection: IssueSelection,
      sort: IssueSort,
      betweenParts: () => Promise<void> = async () => {},
    ): Promise<number[]> {
      const seen: number[] = []
      let start: ListStart = { offset: 0 }
      for (let call = 0; ; call++) {
        const limit = LIMITS[call % LIMITS.length] ?? 100
        const { issues, next } = await list({ selection, sort, start, limit })
        if (issues.length > limit) throw new Error(`${issues.length} rows where ${limit} were asked for`)
        for (const { issueNumber } of issues) seen.push(issueNumber)
        if (next === null) return seen
        if (call > 1_000) throw new Error('the walk does not end')
        start = { after: next }
        await betweenParts()
      }
    }

    async function expectPages(found: Found, sort: IssueSort): Promise<void> {
      const { selection, expected, certain } = found
      for (const [offset, limit] of pagesOf(expected.length)) {
        const { issues, next } = await list({ selection, sort, start: { offset }, limit })
        const slice = expected.slice(offset, offset + limit)
        expect(firstDifference(numbersOf(issues), slice.slice(0, issues.length))).toBeNull()
        expect(issues.length).toBeGreaterThanOrEqual(Math.min(limit, certain - offset))
        const hasRest = offset + issues.length < expected.length
        if (hasRest) expect(next).not.toBeNull()
      }
    }

    describe.each(SEARCHES)('the search $q', ({ q, finds }) => {
      it('finds the same before and after the index has caught up', async () => {
        const isFound = world.matching(finds)
        const expected = world.sorted.newest.filter(({ issueNumber }) => isFound.has(issueNumber))
        const selection = { ...everyIssue(world.project.id, ['open', 'security']), search: parseSearch(q) }
        expect(firstDifference(await walk(selection, 'newest'), numbersOf(expected))).toBeNull()
      })
    })

    it('show every issue as it is found by its id', async () => {
      const selection = everyIssue(world.project.id, ['open', 'security'])
      const listed: IssueRecord[] = []
      let start: ListStart = { offset: 0 }
      for (;;) {
        const { issues, next } = await list({ selection, sort: 'newest', start, limit: 1_000 })
        listed.push(...issues)
        if (next === null) break
        start = { after: next }
      }
      const strange = listed.filter(
        (issue, index) => JSON.stringify(issue) !== JSON.stringify(world.sorted.newest[index]),
      )
      expect(strange.slice(0, 3)).toEqual([])
      expect(listed).toHaveLength(world.sorted.newest.length)
    })

    describe.each(CASES)('$title', (wish) => {
      it.each(ISSUE_SORTS)('sorted by %s, are those of a filter in memory', async (sort) => {
        for (const lanes of LANES) {
          const found = world.find(wish, lanes, sort)
          const seen = await walk(found.selection, sort)
          expect(firstDifference(seen, found.expected)).toBeNull()
          await expectPages(found, sort)
        }
      })

      it('are counted, unless too many have to be looked at', async () => {
        for (const lanes of LANES) {
          const { selection, expected, isCountable } = world.find(wish, lanes, 'newest')
          const count = await storage.issues.count(selection)
          if (count !== null || isCountable) expect(count).toBe(expected.length)
        }
      })
    })

    it('never take long for a part', () => {
      expect(slow).toEqual([])
    })
  })
}

interface World {
  readonly project: ProjectRecord
  readonly neighbour: ProjectRecord
  readonly sorted: Readonly<Record<IssueSort, readonly IssueRecord[]>>
  /** The numbers of the issues whose text is found. */
  matching(finds: Finds): ReadonlySet<number>
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
  { q: 'sync*', finds: has(' sync') },
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
const COMMON_SEARCH: Search = { q: 'app', finds: has(' app ') }

/** Some minutes into the seeded time, which is about forty minutes long. */
const minute = (minutes: number) => NOW + minutes * 60_000

const FILTERS: readonly Filters[] = [
  {},
  ...ISSUE_STATUSES.map((status) => ({ statuses: [status] })),
  { statuses: ['resolved', 'closed', 'wontfix'] },
  { statuses: ['open', 'resolved'] },
  ...CATEGORIES.map((category) => ({ categories: [category] })),
  { categories: ['security', 'ui_ux'] },
  ...PRIORITIES.map((priority) => ({ priorities: [priority] })),
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
  ['sync*', { statuses: ['resolved'] }],
  ['sync*', { statuses: ['open', 'closed'], priorities: ['critical'] }],
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

async function seed(storage: Storage): Promise<World> {
  const random = createRandom(3)
  const [before, project, after] = [
    await addProject(storage, 'before'),
    await addProject(storage, 'weather'),
    await addProject(storage, 'after'),
  ]
  await submitMany(storage, before, NEIGHBOUR_ISSUES, random)
  const ids = await submitMany(storage, project, ISSUES, random)
  await submitMany(storage, after, NEIGHBOUR_ISSUES, random)
  await inChunks(CHANGES, () => storage.issues.change(changeOf(project, random.pick(ids), random)))
  await inChunks(DELETIONS, () => storage.issues.delete(orderFor(project, random.pick(ids), minute(120))))
  const issues: IssueRecord[] = []
  for (const id of ids) {
    const issue = await storage.issues.find(project.id, id)
    if (issue !== undefined) issues.push(issue)
  }
  return createWorld(project, issues)
}

function createWorld(project: ProjectRecord, issues: readonly IssueRecord[]): World {
  const texts = issues.map(({ issueNumber, title, description }) => {
    return [issueNumber, ` ${title} \n ${description ?? ''} `.toLowerCase()] as const
  })
  const known = new Map<Finds, ReadonlySet<number>>()
  const matching: World['matching'] = (finds) => {
    const matches = known.get(finds) ?? new Set(texts.filter(([, text]) => finds(text)).map(([n]) => n))
    known.set(finds, matches)
    return matches
  }
  const sorted = {
    newest: inOrder(issues, () => 0, -1),
    oldest: inOrder(issues, () => 0, 1),
    updated: inOrder(issues, ({ updatedAt }) => updatedAt, -1),
    reports: inOrder(issues, ({ reportCount }) => reportCount, -1),
    priority: inOrder(issues, ({ priority }) => PRIORITIES.indexOf(priority), -1),
  }
  return {
    project,
    sorted,
    matching,
    find({ filters, search }, lanes, sort) {
      const isFound = search && matching(search.finds)
      const visible = sorted[sort].filter(
        ({ category, issueNumber }) =>
          lanes.includes(laneOf(category)) && (isFound === undefined || isFound.has(issueNumber)),
      )
      const { statuses, ...others } = filters
      const isIndexed = Object.keys(others).length === 0 && (sort === 'newest' || sort === 'oldest')
      const ofStatus = visible.filter((issue) => passes(issue, { statuses: statuses ?? null }))
      const expected = ofStatus.filter((issue) => passes(issue, filters))
      const examined = (isIndexed ? ofStatus : visible).slice(
        0,
        isIndexed && !search ? ISSUES : MAX_EXAMINED_ROWS,
      )
      const looked = search ? visible : ofStatus
      const isCounted = !search && Object.keys(filters).every((name) => COUNTED_FILTERS.has(name))
      return {
        selection: {
          ...everyIssue(project.id, lanes),
          ...filters,
          search: search ? parseSearch(search.q) : null,
        },
        expected: numbersOf(expected),
        certain: examined.filter((issue) => passes(issue, filters)).length,
        isCountable: (isCounted && Object.keys(filters).length <= 1) || looked.length <= MAX_EXAMINED_ROWS,
      }
    },
  }
}

const COUNTED_FILTERS: ReadonlySet<string> = new Set(['statuses', 'categories', 'priorities'])

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

/** By key, ties by number, both in the same direction. */
function inOrder(
  issues: readonly IssueRecord[],
  keyOf: (issue: IssueRecord) => number,
  direction: 1 | -1,
): readonly IssueRecord[] {
  return issues.toSorted((a, b) => direction * (keyOf(a) - keyOf(b) || a.issueNumber - b.issueNumber))
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
const BEGINNINGS = ['sett', 'log', 'sync', 'pay', 'not', 'down', 'upl', 'map', 'cam', 'chat']
const ENDINGS = ['ings', 'in', 'ment', 'ify', 'load', 'era', 'er', 'able', 'ing', 'ed']
const SPECIAL_WORDS = [
  'Café',
  'Straße',
  '設定画面',
  'バグ',
  '설정에서',
  '👍',
  '👍🏽',
  '👩‍💻',
  'sign-in',
  '💥',
]

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
