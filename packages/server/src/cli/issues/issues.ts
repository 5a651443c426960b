import type { CallInput, Client } from '@bugle/client'
import { endpoints, type IssueListItem } from '@bugle/contract'
import { systemClock } from '../../clock.ts'
import { API_VARIABLES, explain } from '../api-access.ts'
import { type Command, type Input, UsageError } from '../command.ts'
import { jsonText } from '../terminal/printable.ts'
import { attachmentCommands } from './attachments.ts'
import { bulkCommand } from './bulk.ts'
import { issueChangeCommands } from './change.ts'
import { commentCommands } from './comments.ts'
import { FILTER_OPTIONS, LIST_OPTIONS, PROJECT_OPTION, readFilters, readLimit, readSort } from './filters.ts'
import { requireIssueId } from './find.ts'
import { type Failure, followIssues } from './follow.ts'
import { mergeCommands } from './merges.ts'
import { nameOfPerson, resolvePeople } from './people.ts'
import { issueReportCommands } from './reports.ts'
import { issueLine, issueTable, issueText } from './texts.ts'

const list: Command = {
  name: 'issues list',
  summary: 'List issues, newest first',
  positionals: [],
  options: { ...FILTER_OPTIONS, ...LIST_OPTIONS },
  environment: API_VARIABLES,
  async run(input, { withApi, terminal }) {
    const { limit, pageSize } = readLimit(input)
    const { issues, isCut, total } = await withApi(async (client) => {
      const filters = await resolvePeople(client, readFilters(input))
      return firstIssues(client, { query: { ...filters, sort: readSort(input), pageSize } }, limit)
    })
    if (issues.length === 0) return { json: [], text: 'No matching issues.' }
    const rest = isCut ? `\n\nShowing the first ${limit} of ${total ?? 'many'}; --limit shows more.` : ''
    return { json: issues, text: issueTable(issues, systemClock(), terminal) + rest }
  },
}

const show: Command = {
  name: 'issues show',
  summary: 'Show an issue, by its id or number, with its history',
  positionals: ['ISSUE'],
  options: { project: PROJECT_OPTION },
  environment: API_VARIABLES,
  async run(input, { withApi, terminal }) {
    return withApi(async (client) => {
      const params = { id: await requireIssueId(client, input) }
      const { body: issue } = await client.call(endpoints.retrieveIssue, { params })
      const history = []
      for await (const event of client.items(endpoints.listIssueEvents, { params })) history.push(event)
      const assignee = issue.assigneeId && (await nameOfPerson(client, issue.projectId, issue.assigneeId))
      return { json: { issue, history }, text: issueText({ ...issue, assignee }, history, terminal) }
    })
  },
}

const tail: Command = {
  name: 'issues tail',
  summary: 'Print new issues as they arrive, until Ctrl+C',
  positionals: [],
  options: {
    ...FILTER_OPTIONS,
    'interval-seconds': { type: 'string', value: 'N', meaning: 'the polling interval; default: 2' },
  },
  environment: API_VARIABLES,
  async run(input, { withApi, terminal }) {
    const given = readFilters(input)
    const intervalMs = readInterval(input)
    const stop = new AbortController()
    process.once('SIGINT', () => stop.abort()).once('SIGTERM', () => stop.abort())
    terminal.remark('Waiting for new issues. Press Ctrl+C to stop.\n')
    await withApi(async (client) => {
      const onFailure = (failure: Failure) => terminal.warn(`${explain(failure)}; retrying`)
      const { signal } = stop
      const filters = await resolvePeople(client, given)
      for await (const issue of followIssues({ client, filters, intervalMs, signal, onFailure }))
        terminal.print(terminal.isJson ? jsonText(issue) : issueLine(issue, terminal))
    })
    return undefined
  },
}

/** Commands for issues. They use the API, with the permissions of the key. */
export const issueCommands: readonly Command[] = [
  list,
  show,
  ...commentCommands,
  ...mergeCommands,
  ...issueReportCommands,
  ...attachmentCommands,
  ...issueChangeCommands,
  bulkCommand,
  tail,
]

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

function readInterval(input: Input): number {
  const seconds = Number(input.text('interval-seconds') ?? 2)
  if (!(seconds > 0 && seconds <= 3_600))
    throw new UsageError('--interval-seconds must be a number up to 3600')
  return seconds * 1_000
}
