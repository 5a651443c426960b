import { endpoints, SPAM_DAYS } from '@bugle/contract'
import { API_VARIABLES } from '../api-access.ts'
import type { Command } from '../command.ts'
import { PROJECT_OPTION } from './filters.ts'
import { requireIssueId } from './find.ts'

const mark: Command = {
  name: 'issues spam',
  summary: 'Mark an issue as spam: it is hidden, and deleted later',
  positionals: ['ISSUE'],
  options: {
    project: PROJECT_OPTION,
    'block-sender': {
      type: 'boolean',
      meaning: `store further reports from the same addresses as spam, for ${SPAM_DAYS} days`,
    },
  },
  environment: API_VARIABLES,
  async run(input, { withApi }) {
    return withApi(async (client) => {
      const params = { id: await requireIssueId(client, input) }
      const body = { blockSender: input.isSet('block-sender') }
      const { body: issue } = await client.call(endpoints.markSpam, { params, body })
      const text = `#${issue.issueNumber} is marked as spam, and will be deleted in ${SPAM_DAYS} days.`
      return { json: issue, text }
    })
  },
}

const unmark: Command = {
  name: 'issues not-spam',
  summary: 'Show an issue again that was marked as spam, and unblock its sender',
  positionals: ['ISSUE'],
  options: { project: PROJECT_OPTION },
  environment: API_VARIABLES,
  async run(input, { withApi }) {
    return withApi(async (client) => {
      const params = { id: await requireIssueId(client, input) }
      const { body: issue } = await client.call(endpoints.unmarkSpam, { params })
      return { json: issue, text: `#${issue.issueNumber} is not marked as spam.` }
    })
  },
}

export const spamCommands: readonly Command[] = [mark, unmark]
