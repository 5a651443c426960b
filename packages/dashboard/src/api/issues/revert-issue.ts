import { canMove, endpoints, type Issue, type IssuePatch } from '@bugle/contract'
import { client } from '../client.ts'

/** The fields before and after a change. */
export interface Replacement {
  readonly from: IssuePatch
  readonly to: IssuePatch
}

/** Someone else has since changed what should be undone. */
export class ChangedSince extends Error {
  override readonly name = 'ChangedSince'
}

/** Undoes a change. Fields that were changed again since are left alone. */
export async function revertIssue(id: string, { from, to }: Replacement): Promise<Issue> {
  const issue = (await client.call(endpoints.retrieveIssue, { params: { id } })).body
  const isOurs = Object.entries(to).every(([field, value]) => isSame(issue[field as keyof Issue], value))
  if (!isOurs) throw new ChangedSince()
  // A finished issue can only change to open, and from there to its earlier status.
  const isDirect = from.status === undefined || canMove(issue.status, from.status)
  return patch(isDirect ? issue : await patch(issue, { status: 'open' }), from)
}

async function patch({ id, version }: Issue, body: IssuePatch): Promise<Issue> {
  const headers = { 'If-Match': `"${version}"` }
  return (await client.call(endpoints.changeIssue, { params: { id }, body, headers })).body
}

/** Whether two values of a field are the same. The order of labels does not matter. */
export function isSame(...values: readonly [unknown, unknown]): boolean {
  const [one, other] = values.map((value) => JSON.stringify(Array.isArray(value) ? value.toSorted() : value))
  return one === other
}
