import { type IssueSort, PRIORITIES } from '@bugle/contract/vocabulary'
import { everyIssue, type IssueSelection, type ListBounds } from '../../src/model/issue-lists.ts'
import type { StoredIssue } from '../../src/model/issues.ts'
import { type Lane, laneOf } from '../../src/model/lanes.ts'
import type { ProjectRecord } from '../../src/model/projects.ts'
import { parseSearch } from '../../src/model/search/search-query.ts'
import type { Case, Filters, Search } from './cases.ts'

/** The issues of a project in memory, with the expected result of filters and sorts. */
export interface World {
  readonly project: ProjectRecord
  /** The issues as they were seeded. */
  sorted(sort: IssueSort): readonly StoredIssue[]
  /** The issues as they are now, by number. */
  readonly current: Map<number, StoredIssue>
  find(listCase: Case, lanes: readonly Lane[], sort: IssueSort): Found
}

export interface Found {
  readonly selection: IssueSelection
  readonly expected: readonly number[]
  /** The minimum number of them in the first part of a list, if its limit allows it. */
  readonly certain: number
  /** Whether few enough have to be examined, or counters have the number. */
  readonly isCountable: boolean
}

export function createWorld(
  project: ProjectRecord,
  issues: readonly StoredIssue[],
  { examinedRows }: ListBounds,
): World {
  const sorted = remember((sort: IssueSort) => inOrder(issues, sort))
  const inLanes = remember((lanes: readonly Lane[]) =>
    remember((sort: IssueSort) => sorted(sort).filter(({ category }) => lanes.includes(laneOf(category)))),
  )
  const texts = issues.map(textAround)
  const matching = remember(
    ({ finds }: Search) => new Set(issues.filter((_, index) => finds(texts[index] ?? ''))),
  )
  const passing = remember((filters: Filters) => new Set(issues.filter((issue) => passes(issue, filters))))
  const inStatus = remember((statuses: Filters['statuses']) => passing({ statuses: statuses ?? null }))

  return {
    project,
    sorted,
    current: new Map(issues.map((issue) => [issue.issueNumber, issue])),
    find({ filters, search }, lanes, sort) {
      const matches = search && matching(search)
      const passed = passing(filters)
      const { statuses, ...others } = filters
      const inView = inLanes(lanes)(sort)
      const visible = matches ? inView.filter((issue) => matches.has(issue)) : inView
      const expected = visible.filter((issue) => passed.has(issue))
      const isIndexed = Object.keys(others).length === 0 && (sort === 'newest' || sort === 'oldest')
      const examined = isIndexed && !search ? expected : visible.slice(0, examinedRows)
      const lookedAt =
        search || !statuses ? visible : visible.filter((issue) => inStatus(statuses).has(issue))
      const isCounted =
        !search &&
        COUNTED_FILTERS.has(Object.keys(filters).join()) &&
        filters.assignees?.includes(null) !== true &&
        (filters.labels?.length ?? 1) === 1
      return {
        selection: {
          ...everyIssue(project.id, lanes),
          ...filters,
          // Only what issues say is known here.
          searchesReports: false,
          search: search ? parseSearch(search.q) : null,
        },
        expected: numbersOf(expected),
        certain: examined.filter((issue) => passed.has(issue)).length,
        isCountable: isCounted || lookedAt.length <= examinedRows,
      }
    },
  }
}

/** The counts that counters provide if nothing else is requested. */
const COUNTED_FILTERS: ReadonlySet<string> = new Set([
  '',
  'statuses',
  'categories',
  'priorities',
  'assignees',
  'labels',
])

/** The text of an issue with a space around each word; no phrase matches across the title and the description. */
function textAround({ title, description }: StoredIssue): string {
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

function passes(issue: StoredIssue, filters: Filters): boolean {
  const isOneOf = (values: readonly string[] | null | undefined, value: string | null) =>
    !values || (value !== null && values.includes(value))
  return (
    isOneOf(filters.statuses, issue.status) &&
    isOneOf(filters.categories, issue.category) &&
    isOneOf(filters.priorities, issue.priority) &&
    isOneOf(filters.platforms, issue.platform) &&
    isOneOf(filters.appVersions, issue.appVersion) &&
    isOneOf(filters.branches, issue.branch) &&
    (!filters.labels || filters.labels.some((label) => issue.labels.includes(label))) &&
    (!filters.reporters || isReportedBy(issue, filters.reporters)) &&
    (!filters.assignees || filters.assignees.includes(issue.assigneeId)) &&
    issue.createdAt >= (filters.createdAfter ?? 0) &&
    issue.createdAt < (filters.createdBefore ?? Number.POSITIVE_INFINITY)
  )
}

/** Only reports that create an issue have a reporter here. */
function isReportedBy({ reporter }: StoredIssue, values: readonly string[]): boolean {
  const own = [reporter?.id, reporter?.email?.toLowerCase()]
  return values.some((value) => own.includes(value))
}

/** By the sort value, ties by number, both in the same direction. */
function inOrder(issues: readonly StoredIssue[], sort: IssueSort): readonly StoredIssue[] {
  const direction = sort === 'oldest' ? 1 : -1
  const keyOf = KEYS[sort]
  return issues.toSorted((a, b) => direction * (keyOf(a) - keyOf(b) || a.issueNumber - b.issueNumber))
}

const KEYS: Readonly<Record<IssueSort, (issue: StoredIssue) => number>> = {
  newest: ({ issueNumber }) => issueNumber,
  oldest: ({ issueNumber }) => issueNumber,
  updated: ({ updatedAt }) => updatedAt,
  reports: ({ reportCount }) => reportCount,
  priority: ({ priority }) => PRIORITIES.indexOf(priority),
}

export function numbersOf(issues: readonly Pick<StoredIssue, 'issueNumber'>[]): readonly number[] {
  return issues.map(({ issueNumber }) => issueNumber)
}

/** A short description of where two long lists differ. */
export function firstDifference(actual: readonly number[], expected: readonly number[]) {
  const index = Array.from({ length: Math.max(actual.length, expected.length) }).findIndex(
    (_, place) => actual[place] !== expected[place],
  )
  if (index === -1) return null
  const around = (list: readonly number[]) => ({ length: list.length, there: list.slice(index, index + 3) })
  return { index, actual: around(actual), expected: around(expected) }
}
