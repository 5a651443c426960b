import {
  CATEGORIES,
  ISSUE_SORTS,
  ISSUE_STATUSES,
  type IssueQuery,
  MAX_PAGE_SIZE,
  PRIORITIES,
  splitList,
} from '@bugle/contract'
import { type Input, type Option, UsageError } from '../command.ts'

/** Names the project, for a key that belongs to none. */
export const PROJECT_OPTION: Option = {
  type: 'string',
  value: 'SLUG',
  meaning: 'the project; needed if the key covers several',
}

/** What a list of issues can be narrowed by. */
export const FILTER_OPTIONS = {
  project: PROJECT_OPTION,
  status: listOption('STATUS', ISSUE_STATUSES),
  category: listOption('CATEGORY', CATEGORIES),
  priority: listOption('PRIORITY', PRIORITIES),
  platform: listOption('PLATFORM', ['ios', 'android', 'web', '…']),
  'app-version': listOption('VERSION', ['2.4.1', '…'], 'write a comma in a version as \\,'),
  q: { type: 'string', value: 'TEXT', meaning: 'full-text search: words, prefixes (set*) and "phrases"' },
} as const satisfies Record<string, Option>

/** How a list of issues can be ordered and cut. */
export const LIST_OPTIONS = {
  sort: { type: 'string', value: 'SORT', meaning: `${ISSUE_SORTS.join(', ')}; default: newest` },
  limit: { type: 'string', value: 'N', meaning: 'how many at most; default: 25' },
} as const satisfies Record<string, Option>

export type IssueFilters = ReturnType<typeof readFilters>

/** The filters that the user wrote, as the API takes them. */
export function readFilters(input: Input) {
  return {
    projectId: input.text('project'),
    status: readChoices(input, 'status', ISSUE_STATUSES),
    category: readChoices(input, 'category', CATEGORIES),
    priority: readChoices(input, 'priority', PRIORITIES),
    platform: readWords(input, 'platform'),
    appVersion: readWords(input, 'app-version'),
    q: input.text('q'),
  }
}

/** The order that the user wants, if any. */
export function readSort(input: Input): IssueQuery['sort'] {
  const word = input.text('sort')
  return word === undefined ? undefined : requireChoice('--sort', word, ISSUE_SORTS)
}

/** How many rows the user wants, and the page size that gets them with the fewest requests. */
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
