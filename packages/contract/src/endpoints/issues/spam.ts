import { Issue, IssueParams } from '../../schemas/issues/issues.ts'
import { SpamMark } from '../../schemas/issues/spam.ts'
import { SPAM_DAYS } from '../../vocabulary/issues.ts'
import { endpoint } from '../endpoint.ts'
import { BODY_ERRORS, CHANGE_ERRORS, IF_MATCH, SMALL_BODY_BYTES } from '../shared.ts'

const ACCESS = { scope: 'issues:triage', publicKey: false, publicProject: false } as const
const ANSWERS = {
  200: { description: 'The issue as it is now.', schema: Issue, headers: { ETag: 'Its new tag.' } },
}

export const spamEndpoints = {
  markSpam: endpoint({
    name: 'markSpam',
    method: 'POST',
    path: '/v1/issues/{id}/spam',
    tag: 'issues',
    summary: 'Mark an issue as spam',
    description: `Hides the issue from lists, searches, statistics and the event log, and deletes it after ${SPAM_DAYS} days. \`GET /v1/issues?spam=true\` lists such issues. A later report with the same fingerprint starts a new issue.`,
    access: ACCESS,
    params: IssueParams,
    body: SpamMark,
    maxBodyBytes: SMALL_BODY_BYTES,
    headers: IF_MATCH,
    answers: ANSWERS,
    errors: [...CHANGE_ERRORS, ...BODY_ERRORS, 'not-found', 'precondition-failed', 'validation-failed'],
  }),

  unmarkSpam: endpoint({
    name: 'unmarkSpam',
    method: 'DELETE',
    path: '/v1/issues/{id}/spam',
    tag: 'issues',
    summary: 'Mark an issue as not spam',
    description:
      'Shows the issue again, and unblocks the senders that were blocked with it. If another issue has its fingerprint by now, it loses its own.',
    access: ACCESS,
    params: IssueParams,
    headers: IF_MATCH,
    answers: ANSWERS,
    errors: [...CHANGE_ERRORS, 'not-found', 'precondition-failed'],
  }),
}
