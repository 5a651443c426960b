import { ApiProblem, type CallInput, type Client } from '@bugle/client'
import { endpoints, type IssueListItem } from '@bugle/contract'
import { systemClock } from '../../clock.ts'
import { API_VARIABLES, explain } from '../api-access.ts'
import { type Command, type Input, UsageError } from '../command.ts'
import { jsonText } from '../terminal/printable.ts'
import { attachmentCommands } from './attachments.ts'
import { bulkCommand } from './bulk.ts'
import { issueChangeCommands } from './change.ts'
import { commentCommands } from './comments.ts'
import { conversationCommands } from './conversations.ts'
import { FILTER_OPTIONS, LIST_OPTIONS, PROJECT_OPTION, readFilters, readLimit, readSort } from './filters.ts'
import { requireIssueId } from './find.ts'
import { type Failure, followIssues } from './follow.ts'
import { mergeCommands } from './merges.ts'
import { nameOfPerson, resolvePeople } from './people.ts'
import { issueReportCommands } from './reports.ts'
import { spamCommands } from './spam.ts'
import { issueLine, issueTable, issueText, jointIssueTable } from './texts.ts'

const list: Command = {
  name: 'issues list',
  summary: 'List issues of a project, newest first, or of all projects',
  positionals: [],
  options: { ...FILTER_OPTIONS, ...LIST_OPTIONS },
  environment: API_VARIABLES,
  async run(input, { withApi, terminal }) {
    const { limit, pageSize } = readLimit(input)
    const { issues, isCut, total, slugs } = await withApi(async (client) => {
      const filters = await resolvePeople(client, readFilters(input))
      const query = { ...filters, sort: readSort(input), pageSize }
      const found = await firstIssues(client, { query }, limit)
      return { ...found, slugs: await slugsOf(client, found.issues) }
    })
    if (issues.length === 0) return { json: [], text: 'No matching issues.' }
    const rest = isCut ? `\n\nShowing the first ${limit} of ${total ?? 'many'}; --limit shows more.` : ''
    const shown =
      slugs === undefined
        ? issueTable(issues, systemClock(), terminal)
        : jointIssueTable(issues, slugs, systemClock(), terminal)
    return { json: issues, text: shown + rest }
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
  ...conversationCommands,
  ...mergeCommands,
  ...issueReportCommands,
  ...attachmentCommands,
  ...issueChangeCommands,
  ...spamCommands,
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

/** The slugs of the projects, by id, if the issues are of several; the id, if the key may not read projects. */
async function slugsOf(
  client: Client,
  issues: readonly IssueListItem[],
): Promise<ReadonlyMap<string, string> | undefined> {
  const ids = new Set(issues.map(({ projectId }) => projectId))
  if (ids.size < 2) return undefined
  const slugs = new Map([...ids].map((id) => [id, id]))
  try {
    for await (const { id, slug } of client.items(endpoints.listProjects, { query: { pageSize: 100 } }))
      if (slugs.has(id)) slugs.set(id, slug)
  } catch (error) {
    if (!(error instanceof ApiProblem && error.status === 403)) throw error
  }
  return slugs
}

function readInterval(input: Input): number {
  const seconds = Number(input.text('interval-seconds') ?? 2)
  if (!(seconds > 0 && seconds <= 3_600))
    throw new UsageError('--interval-seconds must be a number up to 3600')
  return seconds * 1_000
}
