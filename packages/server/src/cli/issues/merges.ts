import { endpoints } from '@bugle/contract'
import { systemClock } from '../../clock.ts'
import { API_VARIABLES } from '../api-access.ts'
import type { Command } from '../command.ts'
import { PROJECT_OPTION } from './filters.ts'
import { requireIssueId } from './find.ts'
import { issueTable } from './texts.ts'

const merge: Command = {
  name: 'issues merge',
  summary: 'Make an issue a duplicate of another one',
  positionals: ['ISSUE', 'TARGET'],
  options: { project: PROJECT_OPTION },
  environment: API_VARIABLES,
  async run(input, { withApi }) {
    return withApi(async (client) => {
      const id = await requireIssueId(client, input)
      const into = await requireIssueId(client, { ...input, positionals: input.positionals.slice(1) })
      const { body: issue } = await client.call(endpoints.mergeIssue, { params: { id }, body: { into } })
      const params = { id: issue.duplicateOf ?? into }
      const { body: target } = await client.call(endpoints.retrieveIssue, { params })
      return { json: issue, text: `#${issue.issueNumber} is now a duplicate of #${target.issueNumber}.` }
    })
  },
}

const unmerge: Command = {
  name: 'issues unmerge',
  summary: 'Make a duplicate an issue of its own again',
  positionals: ['ISSUE'],
  options: { project: PROJECT_OPTION },
  environment: API_VARIABLES,
  async run(input, { withApi }) {
    return withApi(async (client) => {
      const params = { id: await requireIssueId(client, input) }
      const { body: issue } = await client.call(endpoints.unmergeIssue, { params })
      return { json: issue, text: `#${issue.issueNumber} is not a duplicate, and is ${issue.status}.` }
    })
  },
}

const duplicates: Command = {
  name: 'issues duplicates',
  summary: 'List the duplicates of an issue',
  positionals: ['ISSUE'],
  options: { project: PROJECT_OPTION },
  environment: API_VARIABLES,
  async run(input, { withApi, terminal }) {
    const issues = await withApi(async (client) => {
      const params = { id: await requireIssueId(client, input) }
      const found = []
      for await (const issue of client.items(endpoints.listDuplicates, { params })) found.push(issue)
      return found
    })
    if (issues.length === 0) return { json: [], text: 'The issue has no duplicates.' }
    return { json: issues, text: issueTable(issues, systemClock(), terminal) }
  },
}

export const mergeCommands: readonly Command[] = [merge, unmerge, duplicates]
