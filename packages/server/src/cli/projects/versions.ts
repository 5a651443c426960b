import type { Client } from '@bugle/client'
import {
  type Branch,
  DEFAULT_STATS_DAYS,
  endpoints,
  MAX_STATS_DAYS,
  type Version,
  type VersionDay,
} from '@bugle/contract'
import { API_VARIABLES } from '../api-access.ts'
import { type Command, CommandError, type Input } from '../command.ts'
import { PROJECT_OPTION, readLimit } from '../issues/filters.ts'
import { type Column, table } from '../terminal/tables.ts'

const OPTIONS = {
  project: PROJECT_OPTION,
  q: { type: 'string', value: 'TEXT', meaning: 'only those that contain this text' },
  limit: { type: 'string', value: 'N', meaning: 'maximum number; default: 25' },
} as const

const versions: Command = {
  name: 'versions list',
  summary: 'List the app versions that reports came from, newest first',
  positionals: [],
  options: OPTIONS,
  environment: API_VARIABLES,
  async run(input, { withApi, terminal }) {
    const found = await withApi(async (client) => {
      const call = await readCall(client, input)
      return take(client.items(endpoints.listVersions, call), readLimit(input).limit)
    })
    if (found.length === 0) return { json: [], text: 'No matching versions.' }
    return { json: found, text: table(VERSION_COLUMNS, found.map(versionRow), terminal) }
  },
}

const stats: Command = {
  name: 'versions stats',
  summary: 'Show reports and new issues of the most reported versions; with --json, day by day',
  positionals: [],
  options: {
    project: PROJECT_OPTION,
    days: { type: 'string', value: 'N', meaning: `how many days; default: ${DEFAULT_STATS_DAYS}` },
  },
  environment: API_VARIABLES,
  async run(input, { withApi, terminal }) {
    const { body } = await withApi(async (client) => {
      const idOrSlug = input.text('project') ?? (await findOnlyProject(client))
      const days = readDays(input)
      return client.call(endpoints.getVersionStats, { params: { idOrSlug }, query: { days } })
    })
    const rows = [
      ...body.versions.map(({ appVersion, series }) => [appVersion, ...sumsOf(series)]),
      ['other', ...sumsOf(body.others)],
    ]
    return { json: body, text: table(STATS_COLUMNS, rows, terminal) }
  },
}

const branches: Command = {
  name: 'branches list',
  summary: 'List the branches that reports came from: the default branch, then the last reported ones',
  positionals: [],
  options: OPTIONS,
  environment: API_VARIABLES,
  async run(input, { withApi, terminal }) {
    const found = await withApi(async (client) => {
      const call = await readCall(client, input)
      return take(client.items(endpoints.listBranches, call), readLimit(input).limit)
    })
    if (found.length === 0) return { json: [], text: 'No matching branches.' }
    return { json: found, text: table(BRANCH_COLUMNS, found.map(branchRow), terminal) }
  },
}

/** Where reports came from, through the API. */
export const versionCommands: readonly Command[] = [versions, stats, branches]

const COUNT_COLUMNS: readonly Column[] = [
  { heading: 'REPORTS' },
  { heading: 'NEW ISSUES' },
  { heading: 'REGRESSIONS', leaveOut: 2 },
]
const DATE_COLUMNS: readonly Column[] = [
  { heading: 'FIRST REPORT', leaveOut: 3 },
  { heading: 'LAST REPORT', leaveOut: 1 },
]
const VERSION_COLUMNS: readonly Column[] = [
  { heading: 'VERSION', overflow: 'wrap' },
  ...COUNT_COLUMNS,
  { heading: 'FIXED', leaveOut: 4 },
  ...DATE_COLUMNS,
]
const STATS_COLUMNS: readonly Column[] = [
  { heading: 'VERSION', overflow: 'wrap' },
  { heading: 'REPORTS' },
  { heading: 'NEW ISSUES' },
]
const BRANCH_COLUMNS: readonly Column[] = [
  { heading: 'BRANCH', overflow: 'wrap' },
  ...COUNT_COLUMNS,
  ...DATE_COLUMNS,
]

function versionRow(version: Version): readonly string[] {
  return [
    version.includesRest ? 'other versions' : version.appVersion,
    ...countsOf(version),
    String(version.fixedIssues),
    ...daysOf(version),
  ]
}

function branchRow(branch: Branch): readonly string[] {
  const name = branch.includesRest ? 'other branches' : branch.branch
  return [branch.isDefault ? `${name} (default)` : name, ...countsOf(branch), ...daysOf(branch)]
}

function countsOf({ reportCount, newIssues, regressions }: Version | Branch): readonly string[] {
  return [reportCount, newIssues, regressions].map(String)
}

function daysOf({ firstReportedAt, lastReportedAt }: Version | Branch): readonly string[] {
  return [firstReportedAt, lastReportedAt].map((at) => at?.slice(0, 10) ?? '-')
}

function sumsOf(series: readonly VersionDay[]): readonly string[] {
  const sum = (of: 'reports' | 'newIssues') => series.reduce((total, day) => total + day[of], 0)
  return [sum('reports'), sum('newIssues')].map(String)
}

function readDays(input: Input): number {
  const text = input.text('days')
  const days = text === undefined ? DEFAULT_STATS_DAYS : Number(text)
  if (!Number.isInteger(days) || days < 1 || days > MAX_STATS_DAYS)
    throw new CommandError(`--days must be a whole number from 1 to ${MAX_STATS_DAYS}`)
  return days
}

async function readCall(client: Client, input: Input) {
  const idOrSlug = input.text('project') ?? (await findOnlyProject(client))
  const q = input.text('q')
  const { pageSize } = readLimit(input)
  return { params: { idOrSlug }, query: { pageSize, ...(q !== undefined && { q }) } }
}

async function findOnlyProject(client: Client): Promise<string> {
  const { body } = await client.call(endpoints.listProjects, { query: { pageSize: 2 } })
  const [only, other] = body.data
  if (only === undefined) throw new CommandError('this key covers no project')
  if (other !== undefined) throw new CommandError('this key covers several projects; add --project SLUG')
  return only.id
}

async function take<T>(items: AsyncIterable<T>, limit: number): Promise<readonly T[]> {
  const taken: T[] = []
  for await (const item of items) {
    taken.push(item)
    if (taken.length >= limit) break
  }
  return taken
}
