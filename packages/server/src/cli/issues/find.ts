import { ApiProblem, type Client } from '@bugle/client'
import { endpoints } from '@bugle/contract'
import { isId } from '../../model/ids.ts'
import { CommandError, type Input, UsageError } from '../command.ts'

/** The id of the issue in the first argument, which is an id or a number within the project. */
export async function requireIssueId(client: Client, input: Input): Promise<string> {
  const [text = ''] = input.positionals
  if (isId('iss', text)) return text
  const number = Number(/^#?(\d+)$/.exec(text)?.[1])
  if (Number.isNaN(number))
    throw new UsageError(
      `"${text}" is not an issue; give its id (iss_…) or its number, as in "bugle issues list"`,
    )
  const idOrSlug = input.text('project') ?? (await findOwnProject(client))
  if (idOrSlug === undefined) throw new CommandError(missingIssue(number))
  try {
    const params = { idOrSlug, issueNumber: String(number) }
    return (await client.call(endpoints.retrieveIssueByNumber, { params })).body.id
  } catch (error) {
    if (!(error instanceof ApiProblem && error.status === 404)) throw error
    throw new CommandError(missingIssue(number, input.text('project')), { cause: error })
  }
}

function missingIssue(number: number, project?: string): string {
  const where = project === undefined ? '' : ` in the project "${project}"`
  return `issue #${number} does not exist${where}, or this key cannot see it`
}

/** The project of the key. */
export async function requireProject(client: Client): Promise<string> {
  const project = await findOwnProject(client)
  if (project === undefined) throw new CommandError('this project has no issues yet; give --project SLUG')
  return project
}

/** The project of the key, taken from an issue it can see, because it may only be allowed to read issues. */
async function findOwnProject(client: Client): Promise<string | undefined> {
  // A key for several projects is refused because of this order.
  const newest = { pageSize: 1, sort: 'newest' } as const
  try {
    for (const query of [newest, { ...newest, spam: true }]) {
      const [issue] = (await client.call(endpoints.listIssues, { query })).body.data
      if (issue !== undefined) return issue.projectId
    }
    return undefined
  } catch (error) {
    if (!(error instanceof ApiProblem && error.code === 'invalid-parameter')) throw error
    throw new CommandError('this key covers several projects, so a number needs --project SLUG', {
      cause: error,
    })
  }
}
