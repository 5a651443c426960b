import { randomUUID } from 'node:crypto'
import type { Client } from '@bugle/client'
import {
  CATEGORIES,
  endpoints,
  ISSUE_STATUSES,
  type Issue,
  type IssuePatch,
  PRIORITIES,
  splitList,
} from '@bugle/contract'
import { API_VARIABLES } from '../api-access.ts'
import { type Command, type CommandContext, type Input, UsageError } from '../command.ts'
import { andOf } from '../unknown-words.ts'
import { PROJECT_OPTION, requireChoice } from './filters.ts'
import { requireIssueId } from './find.ts'
import { findPerson } from './people.ts'

const NOTE = { type: 'string', value: 'NOTE', meaning: 'a comment for the history' } as const

const move: Command = {
  name: 'issues move',
  summary: 'Change the status of an issue',
  positionals: ['ISSUE', 'STATUS'],
  options: {
    project: PROJECT_OPTION,
    note: NOTE,
    reply: { type: 'string', value: 'TEXT', meaning: 'a reply to the people who reported it' },
    'reply-id': {
      type: 'string',
      value: 'ID',
      meaning: 'repeating the command with the same id sends the reply once; default: a new id',
    },
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
  summary: 'Change the priority, category, assignee, labels, title or description of an issue',
  positionals: ['ISSUE'],
  options: {
    project: PROJECT_OPTION,
    priority: { type: 'string', value: 'PRIORITY', meaning: PRIORITIES.join(', ') },
    category: { type: 'string', value: 'CATEGORY', meaning: CATEGORIES.join(', ') },
    assignee: { type: 'string', value: 'PERSON', meaning: 'a name or an id (usr_…), or none' },
    'add-label': { type: 'string', value: 'LABEL', multiple: true, meaning: 'a label to add' },
    'remove-label': { type: 'string', value: 'LABEL', multiple: true, meaning: 'a label to remove' },
    title: { type: 'string', value: 'TITLE', meaning: 'new title' },
    description: { type: 'string', value: 'TEXT', meaning: 'new description' },
    note: NOTE,
  },
  environment: API_VARIABLES,
  async run(input, context) {
    const patch = readUpdate(input)
    const issue = await change(input, patch, context)
    const fields = [
      ...UPDATES.filter((field) => input.text(field) !== undefined),
      ...(changesLabels(input) ? ['labels'] : []),
    ]
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

const publish: Command = {
  name: 'issues publish',
  summary: 'Publish an issue as a known issue, or change what is published',
  positionals: ['ISSUE', 'TITLE'],
  options: {
    project: PROJECT_OPTION,
    text: { type: 'string', value: 'TEXT', meaning: 'what is known about it, such as a workaround' },
  },
  environment: API_VARIABLES,
  note: 'Apps suggest known issues to people who are about to report the same problem, with the status of the issue and the version that contains the fix.',
  async run(input, context) {
    const [, title = ''] = input.positionals
    if (title.trim() === '') throw new UsageError('TITLE must not be empty')
    const text = input.text('text')
    const issue = await change(input, { known: { title, ...(text !== undefined && { text }) } }, context)
    return { json: issue, text: `#${issue.issueNumber} is published as a known issue.` }
  },
}

const unpublish: Command = {
  name: 'issues unpublish',
  summary: 'Unpublish a known issue',
  positionals: ['ISSUE'],
  options: { project: PROJECT_OPTION },
  environment: API_VARIABLES,
  async run(input, context) {
    const issue = await change(input, { known: null }, context)
    return { json: issue, text: `#${issue.issueNumber} is no longer published.` }
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

/** The commands that change an issue. */
export const issueChangeCommands: readonly Command[] = [move, update, note, publish, unpublish, remove]

/** The options of `issues update` that change a field. */
const UPDATES = ['priority', 'category', 'assignee', 'title', 'description'] as const

function change(input: Input, given: IssuePatch, { withApi }: CommandContext): Promise<Issue> {
  return withApi(async (client) => {
    const params = { id: await requireIssueId(client, input) }
    const body = { ...given, ...(await readAssignee(client, input, params.id)) }
    if (!changesLabels(input)) return (await client.call(endpoints.changeIssue, { params, body })).body
    const issue = (await client.call(endpoints.retrieveIssue, { params })).body
    // Only if no one changes the labels in between.
    const headers = { 'If-Match': `"${issue.version}"` }
    const labels = labelsAfter(issue, input)
    return (await client.call(endpoints.changeIssue, { params, body: { ...body, labels }, headers })).body
  })
}

function changesLabels(input: Input): boolean {
  return input.texts('add-label').length > 0 || input.texts('remove-label').length > 0
}

/** All labels of the issue after the change. */
function labelsAfter({ labels }: Issue, input: Input): string[] {
  const key = (name: string) => name.toLowerCase()
  const removed = new Set(input.texts('remove-label').flatMap(splitList).map(key))
  const kept = (labels ?? []).filter((name) => !removed.has(key(name)))
  return [...kept, ...input.texts('add-label').flatMap(splitList)]
}

/** The person to assign the issue to. A name is looked up in the issue's project. */
async function readAssignee(client: Client, input: Input, id: string): Promise<IssuePatch> {
  const word = input.text('assignee')
  if (word === undefined) return {}
  const project = (await client.call(endpoints.retrieveIssue, { params: { id } })).body.projectId
  return { assigneeId: await findPerson(client, project, word) }
}

function readMove(input: Input): IssuePatch {
  const status = requireChoice('STATUS', input.positionals[1] ?? '', ISSUE_STATUSES)
  const reason = input.text('note')
  const appVersion = input.text('fixed-in')
  const buildNumber = input.text('fixed-in-build') ?? null
  if (appVersion === undefined && buildNumber !== null)
    throw new UsageError('--fixed-in-build needs --fixed-in, the version')
  const text = input.text('reply')
  if (text?.trim() === '') throw new UsageError('--reply must not be empty')
  if (text === undefined && input.text('reply-id') !== undefined)
    throw new UsageError('--reply-id needs --reply, the text')
  return {
    status,
    ...(reason !== undefined && { note: reason }),
    ...(appVersion !== undefined && { fixedIn: { appVersion, buildNumber } }),
    ...(text !== undefined && { reply: { commentId: input.text('reply-id') ?? randomUUID(), text } }),
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
  if (UPDATES.every((option) => input.text(option) === undefined) && !changesLabels(input))
    throw new UsageError(
      'nothing to change: give --priority, --category, --assignee, --add-label, --remove-label, --title or --description',
    )
  const reason = input.text('note')
  return { ...patch, ...(reason !== undefined && { note: reason }) }
}
