import { ApiProblem, type Client } from '@bugle/client'
import { endpoints } from '@bugle/contract'
import { isId } from '../../model/ids.ts'
import { CommandError, type Input, UsageError } from '../command.ts'

/** The id of the issue that the first argument names, by its id or by its number within the project. */
export async function requireIssueId(client: Client, input: Input): Promise<string> {
  const [text = ''] = input.positionals
  if (isId('iss', text)) return text
  const number = Number(/^#?(\d+)$/.exec(text)?.[1])
  if (Number.isNaN(number))
    throw new UsageError(
      `"${text}" is not an issue; give its id (iss_…) or its number, as in "bugle issues list"`,
    )
  const missing = new CommandError(`issue #${number} does not exist, or this key cannot see it`)
  const idOrSlug = input.text('project') ?? (await findOwnProject(client))
  if (idOrSlug === undefined) throw missing
  try {
    const params = { idOrSlug, issueNumber: String(number) }
    return (await client.call(endpoints.retrieveIssueByNumber, { params })).body.id
  } catch (error) {
    throw error instanceof ApiProblem && error.status === 404 ? missing : error
  }
}

/** The project of the key, by the newest issue that it may see: a key may be allowed to read issues and nothing else. */
async function findOwnProject(client: Client): Promise<string | undefined> {
  const { body } = await client.call(endpoints.listIssues, { query: { pageSize: 1 } })
  return body.data[0]?.projectId
}
