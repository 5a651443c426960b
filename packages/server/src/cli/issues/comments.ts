import { randomUUID } from 'node:crypto'
import { type Comment, endpoints, MAX_ISSUE_COMMENTS } from '@bugle/contract'
import { API_VARIABLES } from '../api-access.ts'
import { type Command, type CommandContext, type Input, UsageError } from '../command.ts'
import { wrap } from '../terminal/fit.ts'
import { printable } from '../terminal/printable.ts'
import type { Screen } from '../terminal/tables.ts'
import { STATES } from './attachments.ts'
import { PROJECT_OPTION } from './filters.ts'
import { requireIssueId } from './find.ts'

const DEFAULT_LIMIT = 100

const list: Command = {
  name: 'issues comments',
  summary: 'Show the comments on an issue, oldest first',
  positionals: ['ISSUE'],
  options: {
    project: PROJECT_OPTION,
    limit: {
      type: 'string',
      value: 'N',
      meaning: `the maximum number of comments; default: ${DEFAULT_LIMIT}`,
    },
  },
  environment: API_VARIABLES,
  async run(input, { withApi, terminal }) {
    const limit = readLimit(input.text('limit'))
    const comments = await withApi(async (client) => {
      const params = { id: await requireIssueId(client, input) }
      const found: Comment[] = []
      const query = { pageSize: Math.min(limit, 100) }
      for await (const comment of client.items(endpoints.listIssueComments, { params, query })) {
        if (found.push(comment) >= limit) break
      }
      return found
    })
    if (comments.length === 0) return { json: [], text: 'The issue has no comments.' }
    return { json: comments, text: comments.map((comment) => commentText(comment, terminal)).join('\n\n') }
  },
}

const add: Command = {
  name: 'issues comment',
  summary: 'Comment on an issue, for the team',
  positionals: ['ISSUE', 'TEXT'],
  options: {
    project: PROJECT_OPTION,
    'comment-id': {
      type: 'string',
      value: 'ID',
      meaning: 'repeating the command with the same id adds the comment once; default: a new id',
    },
  },
  environment: API_VARIABLES,
  note: 'TEXT is - to read the text from standard input.',
  async run(input, { withApi, terminal }) {
    const text = await readCommentText(input, terminal)
    const commentId = input.text('comment-id') ?? randomUUID()
    const comment = await withApi(async (client) => {
      const params = { id: await requireIssueId(client, input) }
      return (await client.call(endpoints.createComment, { params, body: { commentId, text } })).body
    })
    return { json: comment, text: `Commented on ${input.positionals[0]}.` }
  },
}

/** Commands for the comments on an issue. */
export const commentCommands: readonly Command[] = [list, add]

/** The argument TEXT, or what is typed if it is `-`. */
export async function readCommentText(input: Input, terminal: CommandContext['terminal']): Promise<string> {
  const [, given = ''] = input.positionals
  const text = given === '-' ? (await terminal.readInput()).trimEnd() : given
  if (text.trim() === '') throw new UsageError('TEXT must not be empty')
  return text
}

/** The text is untrusted: whatever it contains, the terminal only shows it. */
export function commentText(comment: Comment, { columns, colours }: Screen): string {
  const { createdAt, editedAt, text, attachments } = comment
  const when = createdAt.slice(0, 16).replace('T', ' ')
  const about = colours.faint(`${when} UTC${editedAt === null ? '' : ', edited'}`)
  const lines = text.split(/\r\n|\n|\r/).flatMap((line) => wrap(printable(line), columns))
  const files = attachments.map(({ id, name: file, state }) => {
    const note = state === 'received' ? id : STATES[state]
    return colours.faint(`File: ${printable(file)} (${note})`)
  })
  return [`${colours.strong(printable(headOf(comment)))}  ${about}`, ...lines, ...files].join('\n')
}

/** Who wrote it, and to whom unless it is for the team. */
function headOf({ author, audience, reportNumber }: Comment): string {
  if (author.kind === 'reporter') return `The reporter of report ${reportNumber}`
  const name = author.name ?? author.id ?? author.kind
  if (audience === 'team') return name
  return `${name} to ${reportNumber === null ? 'all reporters' : `the reporter of report ${reportNumber}`}`
}

function readLimit(text: string | undefined): number {
  const limit = Number(text ?? DEFAULT_LIMIT)
  if (!(Number.isInteger(limit) && limit >= 1 && limit <= MAX_ISSUE_COMMENTS))
    throw new UsageError(`--limit must be a number from 1 to ${MAX_ISSUE_COMMENTS}`)
  return limit
}
