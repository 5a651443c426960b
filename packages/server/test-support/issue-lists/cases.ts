import { ISSUE_STATUSES } from '@bugle/contract/vocabulary'
import type { UserId } from '../../src/model/ids.ts'
import type { IssueSelection } from '../../src/model/issue-lists.ts'
import type { Reporter } from '../../src/model/reports/reporters.ts'

export const NOW = Date.UTC(2026, 10, 15)

/** A time some minutes after the start of the seeded data, which spans about forty minutes. */
export const minute = (minutes: number) => NOW + minutes * 60_000

/** Searches a lower-case text that has a space around each word. */
export type Finds = (text: string) => boolean

export interface Search {
  readonly q: string
  readonly finds: Finds
}

export type Filters = Partial<Omit<IssueSelection, 'projectId' | 'lanes' | 'search'>>

export interface Case {
  readonly title: string
  readonly filters: Filters
  readonly search?: Search
}

const has =
  (...parts: readonly string[]): Finds =>
  (text) =>
    parts.every((part) => text.includes(part))

/** The expected matches are written by hand, not taken from the tokenizer. */
export const SEARCHES: readonly Search[] = [
  { q: 'syncload', finds: has(' syncload ') },
  { q: 'SYNCLOAD Payera', finds: has(' syncload ', ' payera ') },
  { q: 'syncin*', finds: has(' syncin') },
  { q: 'chatin* uplo*', finds: has(' chatin', ' uplo') },
  { q: '"crash screen"', finds: has(' crash screen ') },
  { q: '"crash screen" login', finds: has(' crash screen ', ' login ') },
  { q: '"the app syncin"*', finds: has(' the app syncin') },
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
/** More than may be examined. */
export const COMMON_CASE = {
  title: 'common',
  filters: {},
  search: { q: 'app', finds: has(' app ') },
} as const

const [BUSY, LAZY, NEW] = ['busy', 'lazy', 'new'].map((name): UserId => `usr_${name.padEnd(26, '0')}`) as [
  UserId,
  UserId,
  UserId,
]

/** People, and the share of issues that are assigned to each: to the first, more than may be examined. */
export const ASSIGNEES: readonly (readonly [id: UserId, share: number])[] = [
  [BUSY, 0.26],
  [LAZY, 0.04],
  [NEW, 0.002],
]

/** Labels, and the share of issues that have each: the first one, more than can be looked at. */
export const LABELLED: readonly (readonly [labels: readonly number[], share: number])[] = [
  [[1], 0.26],
  [[2], 0.04],
  [[1, 2], 0.02],
  [[3], 0.002],
  [[1, 2, 3], 0.002],
]

/** Reporters, and how many of each thousand reports they have sent: the first one, more than may be examined. */
export const REPORTERS: readonly (readonly [reporter: Reporter, upTo: number])[] = [
  [{ id: 'noisy', name: null, email: 'noisy@example.com' }, 260],
  [{ id: null, name: 'Quiet', email: 'Quiet@example.com' }, 300],
  [{ id: 'rare', name: null, email: 'quiet@example.com' }, 306],
]

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
  { assignees: [BUSY] },
  { assignees: [LAZY] },
  { assignees: [NEW, LAZY] },
  { assignees: [null] },
  { assignees: [null, NEW] },
  { assignees: [BUSY], statuses: ['open'] },
  { assignees: [LAZY], statuses: ['open', 'closed'], priorities: ['medium'] },
  { assignees: [LAZY, BUSY], platforms: ['tvos'] },
  { labels: [1] },
  { labels: [2] },
  { labels: [3, 2] },
  { labels: [1, 2] },
  { labels: [4] },
  { labels: [1], statuses: ['open'] },
  { labels: [2, 3], statuses: ['open', 'closed'], priorities: ['medium'] },
  { labels: [1], assignees: [LAZY] },
  { labels: [2], assignees: [BUSY, null] },
  { reporters: ['noisy'] },
  { reporters: ['noisy@example.com'] },
  { reporters: ['quiet@example.com'] },
  { reporters: ['rare'] },
  { reporters: ['noisy', 'quiet@example.com', 'rare'] },
  { reporters: ['nobody'] },
  { reporters: ['noisy'], statuses: ['open'] },
  { reporters: ['quiet@example.com', 'rare'], statuses: ['open', 'closed'], priorities: ['medium'] },
  { reporters: ['quiet@example.com'], labels: [1], platforms: ['android'] },
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
  ['syncin*', { labels: [1, 3] }],
  ['syncin*', { reporters: ['noisy', 'rare'] }],
  ['"crash screen"', { createdAfter: minute(30) }],
  ['定画', { statuses: ['acknowledged', 'wontfix'] }],
  ['👍🏽', { branches: ['release/2.4'], priorities: ['low', 'medium'] }],
  ['rare77*', { categories: ['bug', 'crash'] }],
]

export const CASES: readonly Case[] = [
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

function titleOf(criteria: object): string {
  return `issues ${JSON.stringify(criteria).replaceAll('"', '').slice(1, -1) || 'without a filter'}`
}

/** The lists that are paged through while issues change. */
export const CHANGING_CASES: readonly Case[] = CASES.filter(({ title }) =>
  ['issues without a filter', 'issues platforms:[ios]', 'issues q:syncin*'].includes(title),
)
