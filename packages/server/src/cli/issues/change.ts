import {
  CATEGORIES,
  endpoints,
  ISSUE_STATUSES,
  type Issue,
  type IssuePatch,
  PRIORITIES,
} from '@bugle/contract'
import { API_VARIABLES } from '../api-access.ts'
import { type Command, type CommandContext, type Input, UsageError } from '../command.ts'
import { andOf } from '../unknown-words.ts'
import { PROJECT_OPTION, requireChoice } from './filters.ts'
import { requireIssueId } from './find.ts'

const NOTE = { type: 'string', value: 'NOTE', meaning: 'why; kept in the history' } as const

const move: Command = {
  name: 'issues move',
  summary: 'Change the status of an issue',
  positionals: ['ISSUE', 'STATUS'],
  options: {
    project: PROJECT_OPTION,
    note: NOTE,
    'fixed-in': { type: 'string', value: 'VERSION', meaning: 'the version that contains the fix' },
    'fixed-in-build': { type: 'string', value: 'BUILD', meaning: 'the build of that version' },
  },
  environment: API_VARIABLES,
  async run(input, context) {
    const issue = await change(input, readMove(input), context)
    return { json: issue, text: `#${issue.issueNumber} is now ${issue.status}.` }
  },
}

const update: Command = {
  name: 'issues update',
  summary: 'Change the priority, category, title or description of an issue',
  positionals: ['ISSUE'],
  options: {
    project: PROJECT_OPTION,
    priority: { type: 'string', value: 'PRIORITY', meaning: PRIORITIES.join(', ') },
    category: { type: 'string', value: 'CATEGORY', meaning: CATEGORIES.join(', ') },
    title: { type: 'string', value: 'TITLE', meaning: 'new title' },
    description: { type: 'string', value: 'TEXT', meaning: 'new description' },
    note: NOTE,
  },
  environment: API_VARIABLES,
  async run(input, context) {
    const patch = readUpdate(input)
    const issue = await change(input, patch, context)
    const fields = Object.keys(patch).filter((field) => field !== 'note')
    return { json: issue, text: `Updated the ${andOf(fields)} of #${issue.issueNumber}.` }
  },
}

const note: Command = {
  name: 'issues note',
  summary: 'Add a note to the history of an issue',
  positionals: ['ISSUE', 'NOTE'],
  options: { project: PROJECT_OPTION },
  environment: API_VARIABLES,
  async run(input, context) {
    const [, text = ''] = input.positionals
    if (text.trim() === '') throw new UsageError('NOTE must not be empty')
    const issue = await change(input, { note: text }, context)
    return { json: issue, text: `Added a note to #${issue.issueNumber}.` }
  },
}

const remove: Command = {
  name: 'issues delete',
  summary: 'Delete an issue with its reports and its history, permanently',
  positionals: ['ISSUE'],
  options: { project: PROJECT_OPTION, yes: { type: 'boolean', meaning: 'confirm the deletion' } },
  environment: API_VARIABLES,
  async run(input, { withApi }) {
    if (!input.isSet('yes'))
      throw new UsageError(
        `this deletes ${input.positionals[0]} with its reports and history; add --yes to confirm`,
      )
    return withApi(async (client) => {
      const id = await requireIssueId(client, input)
      await client.call(endpoints.deleteIssue, { params: { id } })
      return { json: { id, outcome: 'deleted' }, text: `Deleted ${id}.` }
    })
  },
}

/** What changes an issue. */
export const issueChangeCommands: readonly Command[] = [move, update, note, remove]

function change(input: Input, body: IssuePatch, { withApi }: CommandContext): Promise<Issue> {
  return withApi(async (client) => {
    const params = { id: await requireIssueId(client, input) }
    return (await client.call(endpoints.changeIssue, { params, body })).body
  })
}

function readMove(input: Input): IssuePatch {
  const status = requireChoice('STATUS', input.positionals[1] ?? '', ISSUE_STATUSES)
  const reason = input.text('note')
  const appVersion = input.text('fixed-in')
  const buildNumber = input.text('fixed-in-build') ?? null
  if (appVersion === undefined && buildNumber !== null)
    throw new UsageError('--fixed-in-build needs --fixed-in, the version')
  return {
    status,
    ...(reason !== undefined && { note: reason }),
    ...(appVersion !== undefined && { fixedIn: { appVersion, buildNumber } }),
  }
}

function readUpdate(input: Input): IssuePatch {
  const [priority, category] = [input.text('priority'), input.text('category')]
  const [title, description] = [input.text('title'), input.text('description')]
  const patch = {
    ...(priority !== undefined && { priority: requireChoice('--priority', priority, PRIORITIES) }),
    ...(category !== undefined && { category: requireChoice('--category', category, CATEGORIES) }),
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
  }
  if (Object.keys(patch).length === 0)
    throw new UsageError('nothing to change: give --priority, --category, --title or --description')
  const reason = input.text('note')
  return { ...patch, ...(reason !== undefined && { note: reason }) }
}
