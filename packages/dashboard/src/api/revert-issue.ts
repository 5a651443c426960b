import { canMove, endpoints, type Issue, type IssuePatch } from '@bugle/contract'
import { client } from './client.ts'

/** What a change replaced, and what it put there. */
export interface Replacement {
  readonly from: IssuePatch
  readonly to: IssuePatch
}

/** Someone has changed since what is to be undone. */
export class ChangedSince extends Error {
  override readonly name = 'ChangedSince'
}

/** Undoes a change of ours. What was changed again since is left alone. */
export async function revertIssue(id: string, { from, to }: Replacement): Promise<Issue> {
  const issue = (await client.call(endpoints.retrieveIssue, { params: { id } })).body
  const isOurs = Object.entries(to).every(
    ([field, value]) => JSON.stringify(issue[field as keyof Issue]) === JSON.stringify(value),
  )
  if (!isOurs) throw new ChangedSince()
  // A final status only leads back to open, and from there to where the issue was.
  const isDirect = from.status === undefined || canMove(issue.status, from.status)
  return patch(isDirect ? issue : await patch(issue, { status: 'open' }), from)
}

async function patch({ id, version }: Issue, body: IssuePatch): Promise<Issue> {
  const headers = { 'If-Match': `"${version}"` }
  return (await client.call(endpoints.changeIssue, { params: { id }, body, headers })).body
}
