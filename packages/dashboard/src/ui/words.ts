import type { Category, ConversationState, IssueSort, IssueStatus, Priority } from '@bugle/contract'

/** Display names for the vocabulary of the API. */
export const STATUS_NAMES: Readonly<Record<IssueStatus, string>> = {
  open: 'Open',
  acknowledged: 'Acknowledged',
  in_progress: 'In progress',
  resolved: 'Resolved',
  closed: 'Closed',
  wontfix: "Won't fix",
}

/** Who is expected to write next in the conversation with reporters. */
export const CONVERSATION_NAMES: Readonly<Record<ConversationState, string>> = {
  'waiting-for-team': 'Waiting for team',
  'waiting-for-reporter': 'Waiting for reporter',
}

/** Where an issue was seen, by `onDefaultBranch`. */
export const BRANCH_NAMES = { true: 'On default branch', false: 'Not on default branch' } as const

/** The name and key of each status change. */
export const MOVES: Readonly<Record<IssueStatus, { readonly title: string; readonly keys: string }>> = {
  acknowledged: { title: 'Acknowledge', keys: 'a' },
  in_progress: { title: 'Start progress', keys: 'i' },
  resolved: { title: 'Resolve', keys: 'r' },
  closed: { title: 'Close', keys: 'c' },
  wontfix: { title: "Won't fix", keys: 'w' },
  open: { title: 'Reopen', keys: 'o' },
}

export const CATEGORY_NAMES: Readonly<Record<Category, string>> = {
  bug: 'Bug',
  crash: 'Crash',
  performance: 'Performance',
  ui_ux: 'UI/UX',
  security: 'Security',
}

export const PRIORITY_NAMES: Readonly<Record<Priority, string>> = {
  critical: 'Critical',
  high: 'High',
  medium: 'Medium',
  low: 'Low',
}

export const SORT_NAMES: Readonly<Record<IssueSort, string>> = {
  newest: 'Newest',
  oldest: 'Oldest',
  updated: 'Recently updated',
  reports: 'Most reports',
  priority: 'Priority',
}

const PLATFORM_NAMES: Readonly<Record<string, string>> = {
  ios: 'iOS',
  android: 'Android',
  web: 'Web',
  macos: 'macOS',
  windows: 'Windows',
  linux: 'Linux',
  tvos: 'tvOS',
  watchos: 'watchOS',
  node: 'Node',
  electron: 'Electron',
  other: 'Other',
}

/** The usual spelling of a platform, or the reported value if it is unknown. */
export function platformName(platform: string): string {
  return PLATFORM_NAMES[platform] ?? platform
}

const NUMBERS = new Intl.NumberFormat('en')

export function formatCount(count: number): string {
  return NUMBERS.format(count)
}

/** `3 issues`, `1 issue`. */
export function countOf(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`
}
