import {
  CATEGORIES,
  CONVERSATION_STATES,
  ISSUE_SORTS,
  ISSUE_STATUSES,
  type IssueQuery,
  MAX_PAGE_SIZE,
  PRIORITIES,
  splitList,
} from '@bugle/contract'
import { type Input, type Option, UsageError } from '../command.ts'

/** Names the project, for a key that covers several. */
export const PROJECT_OPTION: Option = {
  type: 'string',
  value: 'SLUG',
  meaning: 'the project; needed if the key covers several',
}

/** The filters of an issue list. */
export const FILTER_OPTIONS = {
  project: PROJECT_OPTION,
  status: listOption('STATUS', ISSUE_STATUSES),
  category: listOption('CATEGORY', CATEGORIES),
  priority: listOption('PRIORITY', PRIORITIES),
  platform: listOption('PLATFORM', ['ios', 'android', 'web', '…']),
  'app-version': listOption('VERSION', ['2.4.1', '…'], 'write a comma in a version as \\,'),
  'build-number': listOption('BUILD', ['512', '…']),
  branch: listOption('BRANCH', ['main', '…']),
  assignee: {
    type: 'string',
    value: 'PERSON',
    multiple: true,
    meaning: 'a name or an id (usr_…), or none; may be repeated',
  },
  label: listOption('LABEL', ['"needs design"', '…']),
  reporter: {
    type: 'string',
    value: 'REPORTER',
    multiple: true,
    meaning: 'the id or the email address of a reporter; may be repeated',
  },
  conversation: listOption('STATE', CONVERSATION_STATES),
  'on-default-branch': {
    type: 'string',
    value: 'true|false',
    meaning: 'seen on the default branch, or only on others',
  },
  spam: { type: 'boolean', meaning: 'what was marked as spam, and nothing else' },
  'os-version': listOption('SYSTEM', ['"iOS 26.1"', '…']),
  'device-model': listOption('MODEL', ['"iPhone 17"', '…']),
  fingerprint: {
    type: 'string',
    value: 'FINGERPRINT',
    multiple: true,
    meaning: 'fingerprint of the reports; can be repeated',
  },
  'updated-after': {
    type: 'string',
    value: 'TIME',
    meaning: 'changed at this time or later, 2026-11-15T09:30:00Z',
  },
  'updated-before': { type: 'string', value: 'TIME', meaning: 'changed before this time' },
  q: { type: 'string', value: 'TEXT', meaning: 'full-text search: words, prefixes (set*) and "phrases"' },
} as const satisfies Record<string, Option>

/** The project, order and limit of an issue list. */
export const LIST_OPTIONS = {
  project: {
    type: 'string',
    value: 'SLUG',
    meaning: 'the project; default: that of the key, or all that it covers',
  },
  sort: {
    type: 'string',
    value: 'SORT',
    meaning: `${ISSUE_SORTS.join(', ')}; default: newest, or updated for several projects`,
  },
  limit: { type: 'string', value: 'N', meaning: 'maximum number; default: 25' },
} as const satisfies Record<string, Option>

export type IssueFilters = ReturnType<typeof readFilters>

/** The filters from the options, in the format of the API. */
export function readFilters(input: Input) {
  return {
    projectId: input.text('project'),
    status: readChoices(input, 'status', ISSUE_STATUSES),
    category: readChoices(input, 'category', CATEGORIES),
    priority: readChoices(input, 'priority', PRIORITIES),
    platform: readWords(input, 'platform'),
    appVersion: readWords(input, 'app-version'),
    buildNumber: readWords(input, 'build-number'),
    branch: readWords(input, 'branch'),
    assignee: readWords(input, 'assignee'),
    label: readWords(input, 'label'),
    reporter: readWords(input, 'reporter'),
    conversation: readChoices(input, 'conversation', CONVERSATION_STATES),
    onDefaultBranch: readFlag(input, 'on-default-branch'),
    spam: input.isSet('spam') ? true : undefined,
    osVersion: readWords(input, 'os-version'),
    deviceModel: readWords(input, 'device-model'),
    fingerprint: readWords(input, 'fingerprint'),
    updatedAfter: readTime(input, 'updated-after'),
    updatedBefore: readTime(input, 'updated-before'),
    q: input.text('q'),
  }
}

/** The requested order, if any. */
export function readSort(input: Input): IssueQuery['sort'] {
  const word = input.text('sort')
  return word === undefined ? undefined : requireChoice('--sort', word, ISSUE_SORTS)
}

/** The requested number of rows, and the page size that needs the fewest requests. */
export function readLimit(input: Input): { readonly limit: number; readonly pageSize: number } {
  const limit = Number(input.text('limit') ?? 25)
  if (!Number.isSafeInteger(limit) || limit < 1) throw new UsageError('--limit must be a number, 1 or more')
  return { limit, pageSize: Math.min(limit, MAX_PAGE_SIZE) }
}

/** The word, if it is one of the known ones. */
export function requireChoice<T extends string>(what: string, word: string, known: readonly T[]): T {
  const choice = known.find((candidate) => candidate === word)
  if (choice === undefined) throw new UsageError(`${what} must be one of ${known.join(', ')}, not "${word}"`)
  return choice
}

function readFlag(input: Input, option: string): boolean | undefined {
  const word = input.text(option)
  return word === undefined ? undefined : requireChoice(`--${option}`, word, ['true', 'false']) === 'true'
}

function readTime(input: Input, option: string): string | undefined {
  const text = input.text(option)
  if (text === undefined) return undefined
  const time = Date.parse(text)
  if (Number.isNaN(time)) throw new UsageError(`--${option} must be a time such as 2026-11-15T09:30:00Z`)
  return new Date(time).toISOString()
}

function readChoices<T extends string>(input: Input, option: string, known: readonly T[]) {
  return readWords(input, option)?.map((word) => requireChoice(`--${option}`, word, known))
}

function readWords(input: Input, option: string): readonly string[] | undefined {
  const words = input.texts(option).flatMap(splitList)
  return words.length === 0 ? undefined : words
}

function listOption(value: string, known: readonly string[], hint?: string): Option {
  const meaning = `one or more of ${known.join(', ')}${hint === undefined ? '' : `; ${hint}`}`
  return { type: 'string', value, multiple: true, meaning }
}
