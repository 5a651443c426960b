import { ApiProblem, type CallInput, type Client } from '@bugle/client'
import { endpoints, ISSUE_STATUSES, type IssueListItem, type IssuePatch } from '@bugle/contract'
import { systemClock } from '../clock.ts'
import { isId } from '../model/ids.ts'
import { API_VARIABLES, explain } from './api-access.ts'
import { type Command, CommandError, type Input, UsageError } from './command.ts'
import { followIssues, type Trouble } from './follow-issues.ts'
import {
  FILTER_OPTIONS,
  LIST_OPTIONS,
  PROJECT_OPTION,
  readFilters,
  readLimit,
  readSort,
  requireChoice,
} from './issue-filters.ts'
import { issueLine, issueTable, issueText } from './issue-texts.ts'
import { fit } from './terminal/fit.ts'
import { jsonText } from './terminal/printable.ts'

const list: Command = {
  name: 'issues list',
  summary: 'List issues, newest first',
  positionals: [],
  options: { ...FILTER_OPTIONS, ...LIST_OPTIONS },
  environment: API_VARIABLES,
  async run(input, { withApi, terminal }) {
    const { limit, pageSize } = readLimit(input)
    const query = { ...readFilters(input), sort: readSort(input), pageSize }
    const { issues, isCut, total } = await withApi((client) => firstIssues(client, { query }, limit))
    if (issues.length === 0) return { json: [], text: 'There is no such issue.' }
    const rest = isCut ? `\n\nThe first ${limit} of ${total ?? 'many'}; --limit shows more.` : ''
    return { json: issues, text: fit(issueTable(issues, systemClock()), terminal.columns) + rest }
  },
}

const show: Command = {
  name: 'issues show',
  summary: 'Show an issue in full, with its history; by its id or its number',
  positionals: ['ISSUE'],
  options: { project: PROJECT_OPTION },
  environment: API_VARIABLES,
  async run(input, { withApi }) {
    return withApi(async (client) => {
      const params = { id: await requireIssueId(client, input) }
      const { body: issue } = await client.call(endpoints.retrieveIssue, { params })
      const history = []
      for await (const event of client.items(endpoints.listIssueEvents, { params })) history.push(event)
      return { json: { issue, history }, text: issueText(issue, history) }
    })
  },
}

const move: Command = {
  name: 'issues move',
  summary: 'Move an issue to another status',
  positionals: ['ISSUE', 'STATUS'],
  options: {
    project: PROJECT_OPTION,
    note: { type: 'string', value: 'NOTE', meaning: 'why; kept in the history' },
    'fixed-in': { type: 'string', value: 'VERSION', meaning: 'the version that contains the fix' },
    'fixed-in-build': { type: 'string', value: 'BUILD', meaning: 'the build of that version' },
  },
  environment: API_VARIABLES,
  async run(input, { withApi }) {
    const body = readMove(input)
    return withApi(async (client) => {
      const params = { id: await requireIssueId(client, input) }
      const { body: issue } = await client.call(endpoints.changeIssue, { params, body })
      return { json: issue, text: `#${issue.issueNumber} is now ${issue.status}.` }
    })
  },
}

const remove: Command = {
  name: 'issues delete',
  summary: 'Delete an issue with its reports and its history, for good',
  positionals: ['ISSUE'],
  options: { project: PROJECT_OPTION, yes: { type: 'boolean', meaning: 'really do it' } },
  environment: API_VARIABLES,
  async run(input, { withApi }) {
    if (!input.isSet('yes'))
      throw new UsageError(
        `this deletes ${input.positionals[0]} with its reports and history; add --yes to do it`,
      )
    return withApi(async (client) => {
      const id = await requireIssueId(client, input)
      await client.call(endpoints.deleteIssue, { params: { id } })
      return { json: { id, outcome: 'deleted' }, text: `Deleted ${id}.` }
    })
  },
}

const tail: Command = {
  name: 'issues tail',
  summary: 'Follow new issues as they arrive, until Ctrl+C',
  positionals: [],
  options: {
    ...FILTER_OPTIONS,
    'interval-seconds': { type: 'string', value: 'N', meaning: 'how often to ask, else every 2 seconds' },
  },
  environment: API_VARIABLES,
  async run(input, { withApi, terminal }) {
    const filters = readFilters(input)
    const intervalMs = readInterval(input)
    const stop = new AbortController()
    process.once('SIGINT', () => stop.abort()).once('SIGTERM', () => stop.abort())
    terminal.remark('Waiting for new issues; stop with Ctrl+C.\n')
    await withApi(async (client) => {
      const onTrouble = (trouble: Trouble) => terminal.remark(`${explain(trouble)}; asking again …\n`)
      const { signal } = stop
      for await (const issue of followIssues({ client, filters, intervalMs, signal, onTrouble }))
        terminal.print(terminal.isJson ? jsonText(issue) : fit(issueLine(issue), terminal.columns))
    })
    return undefined
  },
}

/** Working with issues, through the API: what a key may not do, they can not. */
export const issueCommands: readonly Command[] = [list, show, move, remove, tail]

async function firstIssues(client: Client, call: CallInput<typeof endpoints.listIssues>, limit: number) {
  const issues: IssueListItem[] = []
  let total: number | null = null
  for await (const { data, pagination } of client.pages(endpoints.listIssues, call)) {
    issues.push(...data)
    total = pagination.totalCount
    if (issues.length > limit || (issues.length === limit && pagination.hasMore))
      return { issues: issues.slice(0, limit), isCut: true, total }
  }
  return { issues, isCut: false, total }
}

/** The id of the issue that the user means, by its id or by its number within the project. */
async function requireIssueId(client: Client, input: Input): Promise<string> {
  const [text = ''] = input.positionals
  if (isId('iss', text)) return text
  const number = Number(/^#?(\d+)$/.exec(text)?.[1])
  if (Number.isNaN(number))
    throw new UsageError(
      `"${text}" is no issue; give its id, iss_…, or its number; "bugle issues list" shows it`,
    )
  const missing = new CommandError(`there is no issue #${number} that this key may see`)
  const idOrSlug = input.text('project') ?? (await findOwnProject(client))
  if (idOrSlug === undefined) throw missing
  try {
    const params = { idOrSlug, issueNumber: String(number) }
    return (await client.call(endpoints.retrieveIssueByNumber, { params })).body.id
  } catch (error) {
    throw error instanceof ApiProblem && error.status === 404 ? missing : error
  }
}

/** The project of the key, by the newest issue that it may see: a key may be allowed to read issues and nothing else. */
async function findOwnProject(client: Client): Promise<string | undefined> {
  const { body } = await client.call(endpoints.listIssues, { query: { pageSize: 1 } })
  return body.data[0]?.projectId
}

function readMove(input: Input): IssuePatch {
  const status = requireChoice('STATUS', input.positionals[1] ?? '', ISSUE_STATUSES)
  const note = input.text('note')
  const appVersion = input.text('fixed-in')
  const buildNumber = input.text('fixed-in-build') ?? null
  if (appVersion === undefined && buildNumber !== null)
    throw new UsageError('--fixed-in-build needs --fixed-in, the version')
  return {
    status,
    ...(note !== undefined && { note }),
    ...(appVersion !== undefined && { fixedIn: { appVersion, buildNumber } }),
  }
}

function readInterval(input: Input): number {
  const seconds = Number(input.text('interval-seconds') ?? 2)
  if (!(seconds > 0 && seconds <= 3_600))
    throw new UsageError('--interval-seconds must be a number up to 3600')
  return seconds * 1_000
}
