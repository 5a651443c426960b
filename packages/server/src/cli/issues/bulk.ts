import { randomUUID } from 'node:crypto'
import type { Client } from '@bugle/client'
import {
  type BulkAction,
  type BulkChange,
  endpoints,
  ISSUE_STATUSES,
  MAX_BULK_ISSUES,
  PRIORITIES,
  splitList,
} from '@bugle/contract'
import { API_VARIABLES } from '../api-access.ts'
import { type Command, type Input, UsageError } from '../command.ts'
import { FILTER_OPTIONS, type IssueFilters, readFilters, requireChoice } from './filters.ts'
import { findPerson, resolvePeople } from './people.ts'

/** Changes all issues that match the filters, or none. */
export const bulkCommand: Command = {
  name: 'issues bulk',
  summary: 'Change or delete all issues that match the filters, or none of them',
  positionals: [],
  options: {
    ...FILTER_OPTIONS,
    count: {
      type: 'string',
      value: 'N',
      meaning: 'how many match, to confirm; without it, they are only counted',
    },
    'set-status': { type: 'string', value: 'STATUS', meaning: ISSUE_STATUSES.join(', ') },
    'set-priority': { type: 'string', value: 'PRIORITY', meaning: PRIORITIES.join(', ') },
    assign: { type: 'string', value: 'PERSON', meaning: 'a name or an id (usr_…), or none' },
    'add-label': { type: 'string', value: 'LABEL', multiple: true, meaning: 'a label to add' },
    'remove-label': { type: 'string', value: 'LABEL', multiple: true, meaning: 'a label to remove' },
    note: { type: 'string', value: 'NOTE', meaning: 'a comment for the history of each issue' },
    delete: { type: 'boolean', meaning: 'delete them instead, with their reports and history' },
    'mark-spam': { type: 'boolean', meaning: 'mark them as spam instead' },
    'not-spam': { type: 'boolean', meaning: 'show them again instead, with --spam' },
  },
  environment: API_VARIABLES,
  async run(input, { withApi }) {
    const patch = readPatch(input)
    const count = readCount(input)
    return withApi(async (client) => {
      const { projectId, ...filters } = await resolvePeople(client, readFilters(input))
      if (count === undefined) {
        const total = await countMatches(client, { projectId, ...filters })
        return { json: { matchedCount: total }, text: explainCount(total) }
      }
      const assignee = input.text('assign')
      const action = readAction(input)
      const body: BulkChange = {
        bulkId: randomUUID(),
        ...(projectId !== undefined && { projectId }),
        filter: given(filters) as NonNullable<BulkChange['filter']>,
        count,
        action,
        ...(action === 'change' && {
          patch: {
            ...patch,
            ...(assignee !== undefined && { assigneeId: await findPerson(client, projectId, assignee) }),
          },
        }),
      }
      const { body: result } = await client.call(endpoints.changeIssues, { body })
      const { matchedCount, changedCount } = result
      const text =
        action === 'delete'
          ? `Deleted ${issuesOf(matchedCount)}.`
          : `Changed ${changedCount} of ${issuesOf(matchedCount)}.`
      return { json: result, text }
    })
  },
}

function issuesOf(count: number): string {
  return count === 1 ? '1 issue' : `${count} issues`
}

async function countMatches(client: Client, filters: IssueFilters): Promise<number | null> {
  const { body } = await client.call(endpoints.listIssues, { query: { ...filters, pageSize: 1 } })
  return body.pagination.totalCount
}

function explainCount(total: number | null): string {
  if (total === null) return 'Too many issues would have to be examined. Add further filters.'
  if (total === 0) return 'No matching issues.'
  if (total > MAX_BULK_ISSUES)
    return `${total} issues match. At most ${MAX_BULK_ISSUES} can be changed at once: add further filters.`
  return `${issuesOf(total)} match. Nothing was changed: add --count ${total} to confirm.`
}

/** Without the filters that were not given. */
function given(filters: object): object {
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined))
}

function readCount(input: Input): number | undefined {
  const text = input.text('count')
  if (text === undefined) return undefined
  const count = Number(text)
  if (!(Number.isInteger(count) && count >= 1 && count <= MAX_BULK_ISSUES))
    throw new UsageError(`--count must be a whole number up to ${MAX_BULK_ISSUES}`)
  return count
}

/** What to change, without the assignee, who has to be looked up. */
function readPatch(input: Input): NonNullable<BulkChange['patch']> {
  const [status, priority, note] = [input.text('set-status'), input.text('set-priority'), input.text('note')]
  const [added, removed] = [input.texts('add-label'), input.texts('remove-label')]
  const patch = {
    ...(status !== undefined && { status: requireChoice('--set-status', status, ISSUE_STATUSES) }),
    ...(priority !== undefined && { priority: requireChoice('--set-priority', priority, PRIORITIES) }),
    ...(added.length > 0 && { addLabels: added.flatMap(splitList) }),
    ...(removed.length > 0 && { removeLabels: removed.flatMap(splitList) }),
    ...(note !== undefined && { note }),
  }
  const isChange = Object.keys(patch).length > 0 || input.text('assign') !== undefined
  const others = Object.keys(ACTIONS).filter((option) => input.isSet(option))
  if (others.length + Number(isChange) > 1)
    throw new UsageError(`--${others[0]} cannot be combined with ${isChange ? 'a change' : `--${others[1]}`}`)
  if (others.length === 0 && !isChange)
    throw new UsageError(
      'nothing to change: give --set-status, --set-priority, --assign, --add-label, --remove-label, --note, --delete, --mark-spam or --not-spam',
    )
  return patch
}

/** What is done instead of a change, by option. */
const ACTIONS = {
  delete: 'delete',
  'mark-spam': 'mark_spam',
  'not-spam': 'unmark_spam',
} as const satisfies Readonly<Record<string, BulkAction>>

function readAction(input: Input): BulkAction {
  const chosen = Object.entries(ACTIONS).find(([option]) => input.isSet(option))
  return chosen?.[1] ?? 'change'
}
