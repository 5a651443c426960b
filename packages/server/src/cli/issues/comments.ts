import { randomUUID } from 'node:crypto'
import { type Comment, endpoints, MAX_ISSUE_COMMENTS } from '@bugle/contract'
import { API_VARIABLES } from '../api-access.ts'
import { type Command, UsageError } from '../command.ts'
import { wrap } from '../terminal/fit.ts'
import { printable } from '../terminal/printable.ts'
import type { Screen } from '../terminal/tables.ts'
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
    const [, given = ''] = input.positionals
    const text = given === '-' ? (await terminal.readInput()).trimEnd() : given
    if (text.trim() === '') throw new UsageError('TEXT must not be empty')
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

/** The text is untrusted: whatever it contains, the terminal only shows it. */
function commentText(comment: Comment, { columns, colours }: Screen): string {
  const { author, createdAt, editedAt, text, attachments } = comment
  const name = author.name ?? author.id ?? author.kind
  const when = createdAt.slice(0, 16).replace('T', ' ')
  const about = colours.faint(`${when} UTC${editedAt === null ? '' : ', edited'}`)
  const lines = text.split(/\r\n|\n|\r/).flatMap((line) => wrap(printable(line), columns))
  const files = attachments.map(({ id, name: file, state }) => {
    const note = state === 'received' ? id : 'not received yet'
    return colours.faint(`File: ${printable(file)} (${note})`)
  })
  return [`${colours.strong(printable(name))}  ${about}`, ...lines, ...files].join('\n')
}

function readLimit(text: string | undefined): number {
  const limit = Number(text ?? DEFAULT_LIMIT)
  if (!(Number.isInteger(limit) && limit >= 1 && limit <= MAX_ISSUE_COMMENTS))
    throw new UsageError(`--limit must be a number from 1 to ${MAX_ISSUE_COMMENTS}`)
  return limit
}
