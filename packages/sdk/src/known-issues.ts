import { findClient } from './core/api.ts'
import { findKnownIssues, type KnownIssue } from './core/known-issues/known-issues.ts'

/**
 * Finds up to three published issues that resemble the title of a report. The title is sent to the server, which neither
 * stores nor logs it. `beforeSend` is called first, as for a report. Never rejects; without a response there are none.
 */
export async function searchKnownIssues(title: string): Promise<readonly KnownIssue[]> {
  return (await findKnownIssues(findClient(), { title })) ?? []
}

export type { KnownIssue } from './core/known-issues/known-issues.ts'
