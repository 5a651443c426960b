import {
  ASSIGNED_TO_ME,
  CATEGORIES,
  type Category,
  CONVERSATION_STATES,
  type ConversationState,
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
  UNASSIGNED,
} from '@bugle/contract'

/** The filters and order of the list, as in the API, without project and page. */
export interface Filters {
  readonly q: string
  readonly status: readonly IssueStatus[]
  readonly category: readonly Category[]
  readonly priority: readonly Priority[]
  readonly platform: readonly string[]
  readonly appVersion: readonly string[]
  readonly branch: readonly string[]
  readonly osVersion: readonly string[]
  readonly deviceModel: readonly string[]
  readonly buildNumber: readonly string[]
  readonly fingerprint: readonly string[]
  /** Ids or email addresses. */
  readonly reporter: readonly string[]
  readonly conversation: readonly ConversationState[]
  /** `null`: wherever they were seen. */
  readonly onDefaultBranch: boolean | null
  /** `true`: only spam. */
  readonly spam: boolean | null
  /** Ids of people, `me` or `none`. */
  readonly assignee: readonly string[]
  readonly label: readonly string[]
  readonly createdAfter: string | null
  readonly createdBefore: string | null
  readonly updatedAfter: string | null
  readonly updatedBefore: string | null
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
  osVersion: [],
  deviceModel: [],
  buildNumber: [],
  fingerprint: [],
  reporter: [],
  conversation: [],
  onDefaultBranch: null,
  spam: null,
  assignee: [],
  label: [],
  createdAfter: null,
  createdBefore: null,
  updatedAfter: null,
  updatedBefore: null,
  sort: DEFAULT_ISSUE_SORT,
}

/** The limit of the server. */
const ASSIGNEE = new RegExp(`^(?:${ASSIGNED_TO_ME}|${UNASSIGNED}|usr_[0-9a-z]{26})$`)

type Search = Readonly<Record<string, string | undefined>>

/** Reads the address. Invalid values are ignored, so that an old link still shows something. */
export function readFilters(search: Search): Filters {
  return {
    q: search['q'] ?? '',
    status: among(ISSUE_STATUSES, search['status']),
    category: among(CATEGORIES, search['category']),
    priority: among(PRIORITIES, search['priority']),
    platform: listIn(search['platform']),
    appVersion: listIn(search['appVersion']),
    branch: listIn(search['branch']),
    osVersion: listIn(search['osVersion']),
    deviceModel: listIn(search['deviceModel']),
    buildNumber: listIn(search['buildNumber']),
    fingerprint: listIn(search['fingerprint']),
    reporter: listIn(search['reporter']),
    conversation: among(CONVERSATION_STATES, search['conversation']),
    onDefaultBranch: yesOrNoIn(search['onDefaultBranch']),
    spam: search['spam'] === 'true' || null,
    label: listIn(search['label']),
    assignee: listIn(search['assignee']).filter((word) => ASSIGNEE.test(word)),
    createdAfter: momentIn(search['createdAfter']),
    createdBefore: momentIn(search['createdBefore']),
    updatedAfter: momentIn(search['updatedAfter']),
    updatedBefore: momentIn(search['updatedBefore']),
    sort: ISSUE_SORTS.find((sort) => sort === search['sort']) ?? DEFAULT_ISSUE_SORT,
  }
}

/** The filters as parameters of the address and of `GET /v1/issues`, without those that are not set. */
export function writeFilters(filters: Filters): Record<string, string> {
  const { sort, ...rest } = filters
  const written = Object.entries(rest).map(([name, value]) => [
    name,
    Array.isArray(value) ? joinList(value) : String(value ?? ''),
  ])
  return Object.fromEntries(
    [...written, ['sort', sort === DEFAULT_ISSUE_SORT ? '' : sort]].filter(([, text]) => text !== ''),
  )
}

/** The filters as a query for the client. */
export function toQuery(filters: Filters) {
  const { q, onDefaultBranch, createdAfter, createdBefore, updatedAfter, updatedBefore, ...lists } = filters
  const orNothing = <T>(values: readonly T[]) => (values.length === 0 ? undefined : values)
  return {
    q: q.trim() === '' ? undefined : q.slice(0, MAX_SEARCH_CHARS),
    status: orNothing(lists.status),
    category: orNothing(lists.category),
    priority: orNothing(lists.priority),
    platform: orNothing(lists.platform),
    appVersion: orNothing(lists.appVersion),
    branch: orNothing(lists.branch),
    osVersion: orNothing(lists.osVersion),
    deviceModel: orNothing(lists.deviceModel),
    buildNumber: orNothing(lists.buildNumber),
    fingerprint: orNothing(lists.fingerprint),
    reporter: orNothing(lists.reporter),
    conversation: orNothing(lists.conversation),
    onDefaultBranch: onDefaultBranch ?? undefined,
    spam: lists.spam ?? undefined,
    assignee: orNothing(lists.assignee),
    label: orNothing(lists.label),
    createdAfter: createdAfter ?? undefined,
    createdBefore: createdBefore ?? undefined,
    updatedAfter: updatedAfter ?? undefined,
    updatedBefore: updatedBefore ?? undefined,
    sort: lists.sort,
  }
}

/** The same filters always give the same text, whatever order the address had them in. */
export function nameOfFilters(filters: Filters): string {
  return new URLSearchParams(writeFilters(filters)).toString()
}

/** Whether any filter other than the status is set. */
export function isNarrowed(filters: Filters): boolean {
  return nameOfFilters({ ...filters, status: [], sort: DEFAULT_ISSUE_SORT }) !== ''
}

/** Whether an issue passes the filters. Only the server can evaluate the search and the reporters. `me` is the person who is signed in. */
export function passesFilters(issue: IssueListItem, filters: Filters, me: string | undefined): boolean {
  const isAmong = (values: readonly string[], value: string | null) =>
    values.length === 0 || (value !== null && values.includes(value))
  const isWithin = (time: string, after: string | null, before: string | null) =>
    (after === null || Date.parse(time) >= Date.parse(after)) &&
    (before === null || Date.parse(time) < Date.parse(before))
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
    isAmong(filters.osVersion, issue.osVersion) &&
    isAmong(filters.deviceModel, issue.deviceModel) &&
    isAmong(filters.buildNumber, issue.buildNumber) &&
    isAmong(filters.fingerprint, issue.fingerprint) &&
    isAmong(filters.conversation, issue.conversation) &&
    (filters.onDefaultBranch === null || filters.onDefaultBranch === issue.onDefaultBranch) &&
    (filters.label.length === 0 || filters.label.some((name) => hasLabel(issue, name))) &&
    isAmong(
      filters.assignee.map((word) => (word === ASSIGNED_TO_ME ? (me ?? word) : word)),
      issue.assigneeId ?? UNASSIGNED,
    ) &&
    isWithin(issue.createdAt, filters.createdAfter, filters.createdBefore) &&
    isWithin(issue.updatedAt, filters.updatedAfter, filters.updatedBefore)
  )
}

/** As the server compares names. */
function hasLabel({ labels }: IssueListItem, name: string): boolean {
  return labels?.some((label) => label.toLowerCase() === name.toLowerCase()) ?? false
}

/** Adds or removes a value. */
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

function yesOrNoIn(text: string | undefined): boolean | null {
  if (text === 'true') return true
  return text === 'false' ? false : null
}

function momentIn(text = ''): string | null {
  const time = Date.parse(text)
  return Number.isNaN(time) ? null : new Date(time).toISOString()
}
