import {
  CATEGORIES,
  type Category,
  DEFAULT_ISSUE_SORT,
  ISSUE_SORTS,
  ISSUE_STATUSES,
  type IssueListItem,
  type IssueSort,
  type IssueStatus,
  joinList,
  MAX_FILTER_VALUES,
  MAX_SEARCH_CHARS,
  PRIORITIES,
  type Priority,
  splitList,
} from '@bugle/contract'

/** What the list shows and in which order: as the API takes it, without project and place. */
export interface Filters {
  readonly q: string
  readonly status: readonly IssueStatus[]
  readonly category: readonly Category[]
  readonly priority: readonly Priority[]
  readonly platform: readonly string[]
  readonly appVersion: readonly string[]
  readonly branch: readonly string[]
  readonly createdAfter: string | null
  readonly createdBefore: string | null
  readonly sort: IssueSort
}

export const NO_FILTERS: Filters = {
  q: '',
  status: [],
  category: [],
  priority: [],
  platform: [],
  appVersion: [],
  branch: [],
  createdAfter: null,
  createdBefore: null,
  sort: DEFAULT_ISSUE_SORT,
}

type Search = Readonly<Record<string, string | undefined>>

/** Reads the address. Whatever makes no sense there is left out: an old link shall still show something. */
export function readFilters(search: Search): Filters {
  return {
    q: search['q'] ?? '',
    status: among(ISSUE_STATUSES, search['status']),
    category: among(CATEGORIES, search['category']),
    priority: among(PRIORITIES, search['priority']),
    platform: listIn(search['platform']),
    appVersion: listIn(search['appVersion']),
    branch: listIn(search['branch']),
    createdAfter: momentIn(search['createdAfter']),
    createdBefore: momentIn(search['createdBefore']),
    sort: ISSUE_SORTS.find((sort) => sort === search['sort']) ?? DEFAULT_ISSUE_SORT,
  }
}

/** The filters as the address has them, and as `GET /v1/issues` takes them; what is not set is left out. */
export function writeFilters(filters: Filters): Record<string, string> {
  const { sort, ...rest } = filters
  const written = Object.entries(rest).map(([name, value]) => [
    name,
    Array.isArray(value) ? joinList(value) : (value ?? ''),
  ])
  return Object.fromEntries(
    [...written, ['sort', sort === DEFAULT_ISSUE_SORT ? '' : sort]].filter(([, text]) => text !== ''),
  )
}

/** The filters as the client takes them. */
export function toQuery({ q, createdAfter, createdBefore, ...lists }: Filters) {
  const orNothing = <T>(values: readonly T[]) => (values.length === 0 ? undefined : values)
  return {
    q: q.trim() === '' ? undefined : q.slice(0, MAX_SEARCH_CHARS),
    status: orNothing(lists.status),
    category: orNothing(lists.category),
    priority: orNothing(lists.priority),
    platform: orNothing(lists.platform),
    appVersion: orNothing(lists.appVersion),
    branch: orNothing(lists.branch),
    createdAfter: createdAfter ?? undefined,
    createdBefore: createdBefore ?? undefined,
    sort: lists.sort,
  }
}

/** The same filters always give the same text, whatever order the address had them in. */
export function nameOfFilters(filters: Filters): string {
  return new URLSearchParams(writeFilters(filters)).toString()
}

/** Whether anything is left out of the list, besides by status. */
export function isNarrowed(filters: Filters): boolean {
  return nameOfFilters({ ...filters, status: [], sort: DEFAULT_ISSUE_SORT }) !== ''
}

/** Whether an issue passes the filters. What the search finds only the server knows. */
export function passesFilters(issue: IssueListItem, filters: Filters): boolean {
  const isAmong = (values: readonly string[], value: string | null) =>
    values.length === 0 || (value !== null && values.includes(value))
  const createdAt = Date.parse(issue.createdAt)
  return (
    isAmong(filters.status, issue.status) &&
    isAmong(filters.category, issue.category) &&
    isAmong(filters.priority, issue.priority) &&
    isAmong(
      filters.platform.map((platform) => platform.toLowerCase()),
      issue.platform,
    ) &&
    isAmong(filters.appVersion, issue.appVersion) &&
    isAmong(filters.branch, issue.branch) &&
    (filters.createdAfter === null || createdAt >= Date.parse(filters.createdAfter)) &&
    (filters.createdBefore === null || createdAt < Date.parse(filters.createdBefore))
  )
}

/** A value more, or one less. */
export function toggle<T>(values: readonly T[], value: T): readonly T[] {
  return values.includes(value) ? values.filter((other) => other !== value) : [...values, value]
}

function listIn(text = ''): readonly string[] {
  return [...new Set(splitList(text).map((value) => value.trim()))]
    .filter((value) => value !== '')
    .slice(0, MAX_FILTER_VALUES)
}

function among<T extends string>(known: readonly T[], text: string | undefined): readonly T[] {
  const wanted: readonly string[] = listIn(text)
  return known.filter((value) => wanted.includes(value))
}

function momentIn(text = ''): string | null {
  const time = Date.parse(text)
  return Number.isNaN(time) ? null : new Date(time).toISOString()
}
