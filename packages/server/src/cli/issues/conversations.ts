import { randomUUID } from 'node:crypto'
import type { Client } from '@bugle/client'
import { type Comment, endpoints } from '@bugle/contract'
import { API_VARIABLES } from '../api-access.ts'
import { type Command, type CommandContext, type Input, UsageError } from '../command.ts'
import { commentText, readCommentText } from './comments.ts'
import { PROJECT_OPTION } from './filters.ts'
import { requireIssueId } from './find.ts'
import { requireReportId } from './reports.ts'

const REPORT_OPTION = { type: 'string', value: 'REPORT' } as const

const list: Command = {
  name: 'issues conversation',
  summary: 'Show the replies to reporters of an issue and their messages, oldest first',
  positionals: ['ISSUE'],
  options: {
    project: PROJECT_OPTION,
    report: {
      ...REPORT_OPTION,
      meaning: 'only messages of this reporter, replies to them, and all replies to everyone',
    },
  },
  environment: API_VARIABLES,
  async run(input, { withApi, terminal }) {
    const entries = await withApi(async (client) => {
      const id = await requireIssueId(client, input)
      const number = await findReportNumber(client, id, input.text('report'))
      const found: Comment[] = []
      const call = { params: { id }, query: { pageSize: 100 } }
      for await (const comment of client.items(endpoints.listIssueComments, call))
        if (isOfConversation(comment, number)) found.push(comment)
      return found
    })
    if (entries.length === 0) return { json: [], text: 'There are no replies and no messages.' }
    return { json: entries, text: entries.map((entry) => commentText(entry, terminal)).join('\n\n') }
  },
}

const reply: Command = {
  name: 'issues reply',
  summary: 'Reply to the people who reported an issue, or to one of them',
  positionals: ['ISSUE', 'TEXT'],
  options: {
    project: PROJECT_OPTION,
    report: {
      ...REPORT_OPTION,
      meaning: 'only the reporter of this report can read it, by its number or id (rep_…)',
    },
    'comment-id': {
      type: 'string',
      value: 'ID',
      meaning: 'repeating the command with the same id sends the reply once; default: a new id',
    },
  },
  environment: API_VARIABLES,
  note: 'TEXT is - to read the text from standard input. Reporters can read it in the app; your name is not shown to them.',
  async run(input, { withApi, terminal }) {
    const text = await readCommentText(input, terminal)
    const report = input.text('report')
    const commentId = input.text('comment-id') ?? randomUUID()
    const comment = await withApi(async (client) => {
      const id = await requireIssueId(client, input)
      const reportId = report === undefined ? null : await requireReportId(client, id, report)
      const body = { commentId, text, audience: 'reporters' as const, reportId }
      return (await client.call(endpoints.createComment, { params: { id }, body })).body
    })
    const { reportNumber } = comment
    const whom = reportNumber === null ? 'all reporters' : `the reporter of report ${reportNumber}`
    return { json: comment, text: `Replied to ${whom} of issue ${input.positionals[0]}.` }
  },
}

const block: Command = {
  name: 'issues block-reporter',
  summary: 'Block the reporter of a report: their conversations end, and their further reports are spam',
  positionals: ['ISSUE', 'REPORT'],
  options: { project: PROJECT_OPTION },
  environment: API_VARIABLES,
  run: (input, context) => setBlocked(input, context, true),
}

const unblock: Command = {
  name: 'issues unblock-reporter',
  summary: 'Unblock the reporter of a report',
  positionals: ['ISSUE', 'REPORT'],
  options: { project: PROJECT_OPTION },
  environment: API_VARIABLES,
  run: (input, context) => setBlocked(input, context, false),
}

/** Commands for conversations with reporters. */
export const conversationCommands: readonly Command[] = [list, reply, block, unblock]

function setBlocked(input: Input, { withApi }: CommandContext, isBlocked: boolean) {
  return withApi(async (client) => {
    const [, report = ''] = input.positionals
    const id = await requireIssueId(client, input)
    const params = { id, reportId: await requireReportId(client, id, report) }
    if (isBlocked) await client.call(endpoints.blockReporter, { params })
    else await client.call(endpoints.unblockReporter, { params })
    const outcome = isBlocked ? 'blocked' : 'unblocked'
    return {
      json: { reportId: params.reportId, outcome },
      text: `The reporter of ${params.reportId} is ${outcome}.`,
    }
  })
}

/** A reply to all reporters is part of each conversation, also of those that began later. */
function isOfConversation({ author, audience, reportNumber }: Comment, number: number | undefined): boolean {
  if (author.kind !== 'reporter' && audience !== 'reporters') return false
  return number === undefined || reportNumber === null || reportNumber === number
}

async function findReportNumber(
  client: Client,
  id: string,
  text: string | undefined,
): Promise<number | undefined> {
  if (text === undefined) return undefined
  if (/^\d+$/.test(text)) return Number(text)
  const query = { pageSize: 100, includeText: false }
  for await (const report of client.items(endpoints.listIssueReports, { params: { id }, query }))
    if (report.issueId === id && report.id === text) return report.reportNumber
  throw new UsageError(`"${text}" is not a report of the issue; give its id (rep_…) or its number`)
}
