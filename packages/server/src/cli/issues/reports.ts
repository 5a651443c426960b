import type { Client } from '@bugle/client'
import { endpoints, type Report } from '@bugle/contract'
import { API_VARIABLES } from '../api-access.ts'
import { type Command, type CommandContext, CommandError, type Input, UsageError } from '../command.ts'
import { wrap } from '../terminal/fit.ts'
import { printable } from '../terminal/printable.ts'
import type { Screen } from '../terminal/tables.ts'
import { exceptionLines, wordsBeside } from './exception-texts.ts'
import { PROJECT_OPTION } from './filters.ts'
import { requireIssueId } from './find.ts'
import { membersOf, reporterText } from './texts.ts'

const DEFAULT_LIMIT = 20
const MAX_LIMIT = 10_000

const list: Command = {
  name: 'issues reports',
  summary: 'Show what the reports of an issue say, newest first',
  positionals: ['ISSUE'],
  options: {
    project: PROJECT_OPTION,
    distinct: { type: 'boolean', meaning: 'show each different text once' },
    limit: {
      type: 'string',
      value: 'N',
      meaning: `the maximum number of reports; default: ${DEFAULT_LIMIT}`,
    },
  },
  environment: API_VARIABLES,
  async run(input, { withApi, terminal }) {
    const limit = readLimit(input)
    const reports = await withApi(async (client) => {
      const params = { id: await requireIssueId(client, input) }
      const query = { distinct: input.isSet('distinct'), pageSize: Math.min(limit, 100) }
      const found: Report[] = []
      for await (const report of client.items(endpoints.listIssueReports, { params, query })) {
        if (found.push(report) >= limit) break
      }
      return found
    })
    return { json: reports, text: reports.map((report) => reportText(report, terminal)).join('\n\n') }
  },
}

const remove: Command = {
  name: 'issues delete-report',
  summary: 'Delete one report of an issue, permanently',
  positionals: ['ISSUE', 'REPORT'],
  options: { project: PROJECT_OPTION, yes: { type: 'boolean', meaning: 'confirm the deletion' } },
  environment: API_VARIABLES,
  run: (input, context) =>
    onReport(input, context, 'deletes', async (client, params) => {
      await client.call(endpoints.deleteReport, { params })
      return { json: { id: params.reportId, outcome: 'deleted' }, text: `Deleted ${params.reportId}.` }
    }),
}

const redact: Command = {
  name: 'issues redact-report',
  summary: 'Remove the text, metadata, context and reporter of one report of an issue, permanently',
  positionals: ['ISSUE', 'REPORT'],
  options: { project: PROJECT_OPTION, yes: { type: 'boolean', meaning: 'confirm the redaction' } },
  environment: API_VARIABLES,
  run: (input, context) =>
    onReport(input, context, 'redacts', async (client, params) => {
      const { body } = await client.call(endpoints.redactReport, { params })
      return { json: body, text: `Redacted ${params.reportId}.` }
    }),
}

/** Commands for the reports of an issue. */
export const issueReportCommands: readonly Command[] = [list, remove, redact]

interface ReportParams {
  readonly id: string
  readonly reportId: string
}

/** Asks for confirmation, and finds the report by its id or its number. */
function onReport<T>(
  input: Input,
  { withApi }: CommandContext,
  action: string,
  work: (client: Client, params: ReportParams) => Promise<T>,
): Promise<T> {
  const [issue, report = ''] = input.positionals
  if (!input.isSet('yes'))
    throw new UsageError(`this ${action} report ${report} of ${issue}; add --yes to confirm`)
  return withApi(async (client) => {
    const id = await requireIssueId(client, input)
    return work(client, { id, reportId: await requireReportId(client, id, report) })
  })
}

/** The id of a report, given by its id or by its number within the issue. */
export async function requireReportId(client: Client, id: string, text: string): Promise<string> {
  if (text.startsWith('rep_')) return text
  const number = Number(text)
  if (!(Number.isInteger(number) && number > 0))
    throw new UsageError(`"${text}" is not a report; give its id (rep_…) or its number within the issue`)
  const query = { pageSize: 100, includeText: false }
  for await (const report of client.items(endpoints.listIssueReports, { params: { id }, query })) {
    if (report.issueId !== id) continue
    if (report.reportNumber === number) return report.id
    if (report.reportNumber < number) break
  }
  throw new CommandError(`report ${number} of the issue does not exist`)
}

function readLimit(input: Input): number {
  const limit = Number(input.text('limit') ?? DEFAULT_LIMIT)
  if (!(Number.isInteger(limit) && limit >= 1 && limit <= MAX_LIMIT))
    throw new UsageError(`--limit must be a number from 1 to ${MAX_LIMIT}`)
  return limit
}

const OMISSIONS = {
  limit: 'The text is not kept: the issue has too many different texts.',
  redacted: 'The text was redacted.',
  'not-recorded': 'The text was not recorded.',
}

function reportText(report: Report, { columns, colours }: Screen): string {
  const { reportNumber, receivedAt, appVersion, osVersion, platform, deviceModel, branch } = report
  const who = report.reporter && `by ${reporterText(report.reporter)}`
  const blocked = report.isReporterBlocked ? 'reporter blocked' : null
  const place = [who, blocked, appVersion, osVersion ?? platform, deviceModel, branch].flatMap(
    (part) => part ?? [],
  )
  const about = [receivedAt.slice(0, 19).replace('T', ' '), ...place.map(printable)].join(' · ')
  const head = `${colours.strong(`Report ${reportNumber}`)}  ${colours.faint(about)}`
  const context = report.context === null ? [] : wrap(printable(membersOf(report.context)), columns)
  const after = context.map((line) => colours.faint(line))
  if (report.textOmittedReason !== null)
    return [head, colours.faint(OMISSIONS[report.textOmittedReason]), ...after].join('\n')
  const { title, exception } = report
  const words = wordsBeside(report.description ?? '', exception ?? [])
  const lines = [title ?? '', ...words.split('\n')].flatMap((line) => wrap(printable(line), columns))
  const text = [head, ...lines].join('\n').trimEnd()
  return [text, ...exceptionLines(exception ?? [], colours), ...after].join('\n')
}
