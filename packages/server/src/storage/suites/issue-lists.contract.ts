import { isDeepStrictEqual } from 'node:util'
import {
  EXCERPT_CHARS,
  ISSUE_SORTS,
  ISSUE_STATUSES,
  type IssueSort,
  type IssueStatus,
} from '@bugle/contract/vocabulary'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  CASES,
  type Case,
  CHANGING_CASES,
  COMMON_CASE,
  minute,
  SEARCHES,
} from '../../../test-support/issue-lists/cases.ts'
import { createPartCosts } from '../../../test-support/issue-lists/part-costs.ts'
import {
  addProject,
  changeOf,
  commandFor,
  disturb,
  findAll,
  inChunks,
  seed,
  submitMany,
} from '../../../test-support/issue-lists/seed.ts'
import {
  createWorld,
  type Found,
  firstDifference,
  numbersOf,
  type World,
} from '../../../test-support/issue-lists/world.ts'
import { plainReport } from '../../../test-support/plain-reports.ts'
import { createRandom } from '../../demo/random.ts'
import {
  everyIssue,
  type IssueListing,
  type IssueListPart,
  type IssueSelection,
  LIST_BOUNDS,
  type ListBounds,
  type ListedIssue,
  type ListStart,
} from '../../model/issue-lists.ts'
import type { StoredIssue } from '../../model/issues.ts'
import type { Lane } from '../../model/lanes.ts'
import { parseSearch } from '../../model/search/search-query.ts'
import { isByStatusOnly } from '../issues/lists/issue-filters.ts'
import type { Storage } from '../storage.ts'

const EVERY_CASE: Case = { title: 'every', filters: {} }
const OPEN_LANE: readonly Lane[] = ['open']
const SECURITY_LANE: readonly Lane[] = ['security']
const BOTH_LANES: readonly Lane[] = ['open', 'security']
const MAX_PARTS = 1_000
/** Fewer than a search scans without the index, and than a request examines. */
const FRESH_ISSUES = 600
/** As many matches as a search may examine in a test of its own. */
const FEW = 5

export interface ListSuite {
  readonly issues: number
  readonly bounds: ListBounds
  /** The page limits to alternate between. They are lower than the number of examined rows, as in the API. */
  readonly limits: readonly number[]
  /** The number of sort orders in which each selection is paged through; they alternate. */
  readonly sortsPerCase: number
  /** Whether there are so many issues that scanning all of them would be noticeable. */
  readonly isTimed: boolean
}

/** A few thousand issues, with bounds in the same proportion as the real bounds to a large project. */
export const SMALL_LISTS: ListSuite = {
  issues: 3_000,
  bounds: { ...LIST_BOUNDS, examinedRows: 700 },
  limits: [400, 7, 600, 200],
  sortsPerCase: ISSUE_SORTS.length,
  isTimed: false,
}

/** A large project with the real bounds. */
export const LARGE_LISTS: ListSuite = {
  issues: 100_000,
  bounds: LIST_BOUNDS,
  limits: [5_000, 40, 9_000, 3_000],
  sortsPerCase: 1,
  isTimed: true,
}

/** The lists of every database, compared with filtering and sorting in memory. */
export function describeIssueLists(
  name: string,
  open: (bounds: ListBounds) => Promise<Storage & AsyncDisposable>,
  { issues, bounds, limits, sortsPerCase, isTimed }: ListSuite,
): void {
  const { examinedRows } = bounds

  describe(`issue lists: ${name}`, { timeout: 600_000 }, () => {
    let storage: Storage & AsyncDisposable
    let world: World
    let costs: ReturnType<typeof createPartCosts> | undefined

    beforeAll(async () => {
      storage = await open(bounds)
      world = await seed(storage, issues, bounds)
      if (isTimed) costs = createPartCosts(storage, world.project, examinedRows)
    }, 900_000)
    afterAll(async () => {
      if (costs !== undefined) process.stdout.write(`${costs.describe()}\n`)
      await storage[Symbol.asyncDispose]()
    })

    async function list(listing: IssueListing): Promise<IssueListPart> {
      const began = performance.now()
      const part = await storage.issues.list(listing)
      await costs?.judge(listing, performance.now() - began)
      return part
    }

    /** The issues of a whole list, part by part. */
    async function listAll(
      selection: IssueSelection,
      sort: IssueSort,
      betweenParts: () => Promise<void> = async () => {},
    ): Promise<ListedIssue[]> {
      const seen: ListedIssue[] = []
      let start: ListStart = { offset: 0 }
      for (let part = 0; part < MAX_PARTS; part++) {
        const limit = limits[part % limits.length] ?? 100
        const { issues, next } = await list({ selection, sort, start, limit })
        if (issues.length > limit) throw new Error(`${issues.length} rows where ${limit} were asked for`)
        seen.push(...issues)
        if (next === null) return seen
        start = { after: next }
        await betweenParts()
      }
      throw new Error('the list does not end')
    }

    /** A page may end early if enough rows were examined; then it has a `next` position. */
    async function expectPages(found: Found, sort: IssueSort): Promise<void> {
      const { selection, expected, certain, isCountable } = found
      for (const [offset, limit] of pagesOf(expected.length, examinedRows)) {
        const { issues, next, total } = await list({ selection, sort, start: { offset }, limit })
        if (isByStatusOnly(selection)) expect(total).toBe(expected.length)
        if (total === null) expect(isCountable).toBe(false)
        else expect(total ?? expected.length).toBe(expected.length)
        // A search counts its matches with the page, and does not have to run again.
        if (selection.search !== null && issues.length > 0) expect(total).not.toBeUndefined()
        const slice = expected.slice(offset, offset + issues.length)
        expect(firstDifference(numbersOf(issues), slice)).toBeNull()
        expect(issues.length).toBeGreaterThanOrEqual(Math.min(limit, certain - offset))
        if (offset + issues.length < expected.length) expect(next).not.toBeNull()
      }
    }

    /** How many of these issues have each status now. */
    function sizesOf(numbers: readonly number[]): Record<IssueStatus, number> {
      const sizes = Object.fromEntries(ISSUE_STATUSES.map((status) => [status, 0])) as Record<
        IssueStatus,
        number
      >
      for (const number of numbers) {
        const issue = world.current.get(number)
        if (issue) sizes[issue.status]++
      }
      return sizes
    }

    it('show every issue as it is found by its id', async () => {
      const listed = await listAll(everyIssue(world.project.id, BOTH_LANES), 'newest')
      const stored = world.sorted('newest').map(asListed)
      const strange = listed.filter((issue, index) => !isDeepStrictEqual(issue, stored[index]))
      expect(strange.slice(0, 3)).toEqual([])
      expect(listed).toHaveLength(stored.length)
    })

    describe.each(CASES)('$title', (listCase) => {
      const index = CASES.indexOf(listCase)
      const sorts = ISSUE_SORTS.filter((_, place) => (place + index) % ISSUE_SORTS.length < sortsPerCase)

      it.each(sorts)('sorted by %s, equal those of a filter in memory', async (sort) => {
        // Alternating halves the time, and each selection is still tested with both visibilities.
        const isOdd = (index + ISSUE_SORTS.indexOf(sort)) % 2 === 1
        const found = world.find(listCase, isOdd ? OPEN_LANE : BOTH_LANES, sort)
        const seen = await listAll(found.selection, sort)
        expect(firstDifference(numbersOf(seen), found.expected)).toBeNull()
        await expectPages(found, sort)
      })

      it('are counted, unless too many have to be examined', async () => {
        for (const lanes of [OPEN_LANE, BOTH_LANES, SECURITY_LANE]) {
          const { selection, expected, isCountable } = world.find(listCase, lanes, 'newest')
          const count = await storage.issues.count(selection)
          if (count !== null || isCountable) expect(count).toBe(expected.length)
        }
      })

      it('are counted by status, unless too many have to be examined', async () => {
        // Alternating, as above.
        const lanes = index % 2 === 1 ? OPEN_LANE : BOTH_LANES
        const { statuses: _, ...filters } = listCase.filters
        const { selection, expected } = world.find({ ...listCase, filters }, lanes, 'newest')
        const all = sizesOf(world.find(EVERY_CASE, lanes, 'newest').expected)
        const sizes = sizesOf(expected)
        const counts = await storage.issues.countByStatus(selection)
        let sum = 0
        for (const status of ISSUE_STATUSES.toSorted((one, other) => all[one] - all[other])) {
          sum += all[status]
          const isCountable = sum <= examinedRows && listCase.search === undefined
          if (counts[status] !== null || isCountable) expect(counts[status], status).toBe(sizes[status])
        }
      })

      it('of only the security lane are found too', async () => {
        const { selection, expected } = world.find(listCase, SECURITY_LANE, 'newest')
        expect(firstDifference(numbersOf(await listAll(selection, 'newest')), expected)).toBeNull()
      })
    })

    describe('found by a word that half of all issues contain', () => {
      it.each(['newest', 'oldest'] as const)('sorted by %s, are complete', async (sort) => {
        const { selection, expected } = world.find(COMMON_CASE, OPEN_LANE, sort)
        expect(expected.length).toBeGreaterThan(2 * examinedRows)
        expect(firstDifference(numbersOf(await listAll(selection, sort)), expected)).toBeNull()
      })

      it('are the newest in other orders, as many as are examined', async () => {
        const { expected } = world.find(COMMON_CASE, OPEN_LANE, 'newest')
        const newest = new Set(expected.slice(0, examinedRows))
        for (const sort of ['updated', 'reports', 'priority'] as const) {
          const { selection, expected: inOrder } = world.find(COMMON_CASE, OPEN_LANE, sort)
          const seen = await listAll(selection, sort)
          const kept = inOrder.filter((number) => newest.has(number))
          expect(firstDifference(numbersOf(seen), kept)).toBeNull()
        }
      })
    })

    it.each(ISSUE_SORTS)('sorted by %s, have a total up to the number of examined matches', async (sort) => {
      await using small = await open({ ...bounds, examinedRows: FEW })
      const project = await addProject(small, 'few')
      const submit = async (title: string) => {
        const report = plainReport(project)
        await small.issues.submit({ ...report, content: { ...report.content, title } })
      }
      const all = { ...everyIssue(project.id, OPEN_LANE), search: parseSearch('word') }
      const totalsOf = async (q: string) => {
        const totals = []
        const search = parseSearch(q)
        for (const [more, offset] of [
          [{}, 0],
          [{}, 2],
          [{}, FEW - 1],
          [{ statuses: ['open'] }, 0],
          [{ statuses: ['open'] }, 2],
        ] as const) {
          const selection = { ...all, search, ...more }
          totals.push((await small.issues.list({ selection, sort, start: { offset }, limit: 2 })).total)
        }
        return totals
      }
      const expectTotals = async (total: number | null) => {
        for (const q of ['word', 'wor*', '"some word"'])
          expect(await totalsOf(q), q).toEqual(Array.from({ length: 5 }, () => total))
      }

      await submit('Something else')
      for (let number = 1; number <= FEW; number++) await submit('Some word')
      await expectTotals(FEW)
      await submit('Some word')
      await expectTotals(null)
      const listing = { selection: all, sort: 'oldest', start: { offset: 0 }, limit: 2 } as const
      // With `null`, the matches beyond the page were counted.
      expect((await small.issues.list({ ...listing, omitsTotal: true })).total).toBeUndefined()
    })

    it.each(ISSUE_SORTS)('sorted by %s, never leave their project', async (sort) => {
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

      it.each(ISSUE_SORTS)('sorted by %s, show the unchanged ones exactly once', async (sort) => {
        for (const listCase of CHANGING_CASES) {
          const { selection, expected } = createWorld(
            world.project,
            [...world.current.values()],
            bounds,
          ).find(listCase, BOTH_LANES, sort)
          const touched = new Set<number>()
          const seen = await listAll(selection, sort, async () => {
            for (const number of await disturb(storage, world, random)) touched.add(number)
          })
          const unchanged = expected.filter((number) => !touched.has(number))
          const steady = numbersOf(seen).filter((number) => !touched.has(number))
          expect(firstDifference(steady, unchanged)).toBeNull()
          expect(unchanged.length).toBeGreaterThan(touched.size / 2)
        }
      })
    })

    it('find the same texts before and after the index has caught up', async () => {
      const project = await addProject(storage, 'fresh')
      const random = createRandom(8)
      const ids = await submitMany(storage, project, FRESH_ISSUES, random)
      const expectFound = async () => {
        const fresh = createWorld(project, await findAll(storage, project, ids), bounds)
        for (const search of [...SEARCHES, COMMON_CASE.search]) {
          for (const lanes of [OPEN_LANE, BOTH_LANES, SECURITY_LANE]) {
            const { selection, expected } = fresh.find({ title: '', filters: {}, search }, lanes, 'oldest')
            expect(firstDifference(numbersOf(await listAll(selection, 'oldest')), expected)).toBeNull()
            expect(await storage.issues.count(selection)).toBe(expected.length)
          }
        }
      }
      const change = async () => {
        await inChunks(300, () => storage.issues.change(changeOf(project, random.pick(ids), random)))
        await inChunks(20, () => storage.issues.delete(commandFor(project, random.pick(ids), minute(120))))
      }
      await expectFound()
      await change()
      await expectFound()
      await new Promise((resolve) => setTimeout(resolve, 1_200))
      await expectFound()
      await change()
      await expectFound()
    })

    if (isTimed)
      it('never take long for a part', () => {
        expect(costs?.tooSlow).toEqual([])
      })
  })
}

function* pagesOf(rows: number, examinedRows: number): Iterable<readonly [offset: number, limit: number]> {
  yield [0, 25]
  if (rows > 0) yield [Math.floor(Math.min(rows, examinedRows) / 2), 100]
  if (rows < examinedRows) yield [rows, 25]
}

/** A list shows only the beginning of the description, and omits many other fields. */
function asListed(record: StoredIssue): ListedIssue {
  const { description, metadata, context, reporter, sdk, submissionId, unconfirmedVersion, ...others } =
    record
  const { resolvedAt, firstLeftOpenAt, firstResolvedAt, ...more } = others
  const { deletedReports, editedAt, reportWords, statusBeforeMerge, ...rest } = more
  const { duplicateReports, ownReportedAt, sender, reporterKeyHash, messageCount, known, ...shown } = rest
  const excerpt = description === null ? null : Array.from(description).slice(0, EXCERPT_CHARS).join('')
  return { ...shown, excerpt, attachmentState: null }
}
