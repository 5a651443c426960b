import { KnownIssueList, KnownIssueSearch } from '../../schemas/reporters/known-issues.ts'
import { endpoint } from '../endpoint.ts'
import { BODY_ERRORS, KEY_ERRORS, SMALL_BODY_BYTES } from '../shared.ts'

/** What the team has published about issues, for the people who are about to report one. */
export const knownIssueEndpoints = {
  searchKnownIssues: endpoint({
    name: 'searchKnownIssues',
    method: 'POST',
    path: '/v1/known-issues/search',
    tag: 'issues',
    summary: 'Search the known issues',
    description:
      'Finds published issues whose titles share words, or beginnings of words, with the given title. A report on one of them names its `id` as `knownIssueId`. Needs a key of the project; a public key is enough.',
    access: { scope: null, publicKey: true, publicProject: false },
    body: KnownIssueSearch,
    maxBodyBytes: SMALL_BODY_BYTES,
    crossOrigin: true,
    answers: { 200: { description: 'The best matches. The list may be empty.', schema: KnownIssueList } },
    errors: [...KEY_ERRORS, ...BODY_ERRORS, 'not-found', 'validation-failed'],
  }),
}
