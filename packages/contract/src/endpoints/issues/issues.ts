import { EventPage } from '../../schemas/events.ts'
import { BulkChange, BulkResult } from '../../schemas/issues/bulk-changes.ts'
import { IssuePatch } from '../../schemas/issues/issue-changes.ts'
import {
  Issue,
  IssueCountQuery,
  IssueCounts,
  IssueNumberParams,
  IssuePage,
  IssueParams,
  IssueQuery,
} from '../../schemas/issues/issues.ts'
import {
  IdempotencyKey,
  IssueCreation,
  IssueRecord,
  IssueSubmission,
} from '../../schemas/issues/submissions.ts'
import { CursorQuery } from '../../schemas/pagination.ts'
import { ProjectParams } from '../../schemas/projects/projects.ts'
import { MAX_BODY_BYTES } from '../../vocabulary/limits.ts'
import { endpoint } from '../endpoint.ts'
import {
  BODY_ERRORS,
  CHANGE_ERRORS,
  CONDITIONAL,
  IF_MATCH,
  KEY_ERRORS,
  NOT_MODIFIED,
  READ_ERRORS,
} from '../shared.ts'

export const issueEndpoints = {
  submitIssue: endpoint({
    name: 'submitIssue',
    method: 'POST',
    path: '/v1/issues',
    tag: 'issues',
    summary: 'Submit an issue',
    description:
      'Stores a report in the project of the key and responds once it is on disk. `text/plain` with the same JSON and the public key in the field `publicKey` is accepted too, so that a page that is being closed can send it without a preflight.',
    isSubmission: true,
    access: { scope: 'issues:create', publicKey: true, publicProject: false },
    body: IssueSubmission,
    maxBodyBytes: MAX_BODY_BYTES,
    mediaTypes: ['application/json', 'text/plain'],
    headers: {
      'Idempotency-Key': IdempotencyKey,
    },
    crossOrigin: true,
    answers: {
      201: {
        description: 'Stored as a new issue.',
        schema: IssueRecord,
        headers: {
          Location: 'Where the issue can be retrieved.',
          'Idempotency-Replayed':
            '`true` if the submission was already stored and this repeats its first response.',
        },
      },
      200: {
        description: 'Added to the issue with the same fingerprint.',
        schema: IssueRecord,
        headers: {
          Location: 'Where the issue can be retrieved.',
          'Idempotency-Replayed':
            '`true` if the submission was already stored and this repeats its first response.',
        },
      },
    },
    errors: [
      'malformed-body',
      'invalid-parameter',
      'credentials-required',
      'invalid-credentials',
      'insufficient-scope',
      'origin-not-allowed',
      'not-found',
      'secret-key-in-browser',
      'submission-conflict',
      'content-too-large',
      'unsupported-media-type',
      'validation-failed',
    ],
  }),

  createIssue: endpoint({
    name: 'createIssue',
    method: 'POST',
    path: '/v1/projects/{idOrSlug}/issues',
    tag: 'issues',
    summary: 'Create an issue',
    description:
      'For the team, for example for what a colleague reports in person. A person who calls it is the reporter of the issue. Apps submit reports with `POST /v1/issues`.',
    access: { scope: 'issues:triage', publicKey: false, publicProject: false },
    params: ProjectParams,
    body: IssueCreation,
    maxBodyBytes: MAX_BODY_BYTES,
    answers: {
      201: {
        description: 'Stored.',
        schema: IssueRecord,
        headers: {
          Location: 'Where the issue can be retrieved.',
          'Idempotency-Replayed':
            '`true` if the submission was already stored and this repeats its first response.',
        },
      },
    },
    errors: [
      ...CHANGE_ERRORS,
      ...BODY_ERRORS,
      'not-found',
      'invalid-parameter',
      'submission-conflict',
      'validation-failed',
    ],
  }),

  listIssues: endpoint({
    name: 'listIssues',
    method: 'GET',
    path: '/v1/issues',
    tag: 'issues',
    summary: 'List issues',
    description: `The issues of a project, newest first. Page through them with \`page\`, or with \`cursor\` (\`pagination.nextCursor\`, also in the \`Link\` header), which stays correct while issues arrive. Without \`projectId\`, people and keys for all projects get the issues of all projects that they have access to: last changed first, only with \`cursor\`, and without the filters \`q\`, \`label\`, \`reporter\` and \`fingerprint\`. A page can be short although there are more.`,
    access: { scope: 'issues:read', publicKey: false, publicProject: true },
    query: IssueQuery,
    headers: CONDITIONAL,
    answers: {
      200: {
        description: 'A page of issues.',
        schema: IssuePage,
        headers: {
          ETag: 'Changes whenever the page may have changed.',
          Link: 'The pages `first`, `prev`, `next` and `last`, if they exist (RFC 8288).',
        },
      },
      304: NOT_MODIFIED,
    },
    errors: [...READ_ERRORS, 'invalid-parameter', 'invalid-cursor', 'page-too-deep'],
  }),

  countIssues: endpoint({
    name: 'countIssues',
    method: 'GET',
    path: '/v1/issues/counts',
    tag: 'issues',
    summary: 'Count issues by status',
    description:
      'How many issues match a search and filters, by status. Takes the filters of the list. The cost is bounded: a count that would take too long is `null`.',
    access: { scope: 'issues:read', publicKey: false, publicProject: true },
    query: IssueCountQuery,
    answers: { 200: { description: 'The counts.', schema: IssueCounts } },
    errors: [...READ_ERRORS, 'invalid-parameter'],
  }),

  retrieveIssue: endpoint({
    name: 'retrieveIssue',
    method: 'GET',
    path: '/v1/issues/{id}',
    tag: 'issues',
    summary: 'Retrieve an issue',
    description: 'An issue in full. Anonymous readers of a public project get `null` for private fields.',
    access: { scope: 'issues:read', publicKey: false, publicProject: true },
    params: IssueParams,
    headers: CONDITIONAL,
    answers: {
      200: {
        description: 'The issue.',
        schema: Issue,
        headers: { ETag: 'Changes whenever the response changes.' },
      },
      304: NOT_MODIFIED,
    },
    errors: READ_ERRORS,
  }),

  retrieveIssueByNumber: endpoint({
    name: 'retrieveIssueByNumber',
    method: 'GET',
    path: '/v1/projects/{idOrSlug}/issues/{issueNumber}',
    tag: 'issues',
    summary: 'Retrieve an issue by its number',
    description: 'The same response as `GET /v1/issues/{id}`, for lookups by number such as `#295`.',
    access: { scope: 'issues:read', publicKey: false, publicProject: true },
    params: IssueNumberParams,
    headers: CONDITIONAL,
    answers: {
      200: {
        description: 'The issue.',
        schema: Issue,
        headers: { ETag: 'Changes whenever the response changes.' },
      },
      304: NOT_MODIFIED,
    },
    errors: READ_ERRORS,
  }),

  changeIssue: endpoint({
    name: 'changeIssue',
    method: 'PATCH',
    path: '/v1/issues/{id}',
    tag: 'issues',
    summary: 'Change an issue',
    description:
      'A merge patch: only the given fields change. Each change is one event in the history. If the change hides the issue from the caller, this response still shows it, once.',
    access: { scope: 'issues:triage', publicKey: false, publicProject: false },
    params: IssueParams,
    body: IssuePatch,
    maxBodyBytes: MAX_BODY_BYTES,
    mediaTypes: ['application/merge-patch+json', 'application/json'],
    headers: IF_MATCH,
    answers: {
      200: { description: 'The issue as it is now.', schema: Issue, headers: { ETag: 'Its new tag.' } },
    },
    errors: [
      ...CHANGE_ERRORS,
      'not-found',
      'malformed-body',
      'invalid-parameter',
      'comment-conflict',
      'no-reporter-secret',
      'limit-reached',
      'invalid-transition',
      'is-duplicate',
      'precondition-failed',
      'content-too-large',
      'unsupported-media-type',
      'validation-failed',
    ],
  }),

  deleteIssue: endpoint({
    name: 'deleteIssue',
    method: 'DELETE',
    path: '/v1/issues/{id}',
    tag: 'issues',
    summary: 'Delete an issue',
    description:
      'Permanently deletes the issue, its reports and its history, for example to remove personal data or leaked secrets. The deletion is recorded in the log, and the number is not reused.',
    access: { scope: 'issues:delete', publicKey: false, publicProject: false },
    params: IssueParams,
    headers: IF_MATCH,
    answers: { 204: { description: 'The issue was deleted.' } },
    errors: [...CHANGE_ERRORS, 'not-found', 'precondition-failed'],
  }),

  changeIssues: endpoint({
    name: 'changeIssues',
    method: 'POST',
    path: '/v1/issues/bulk',
    tag: 'issues',
    summary: 'Change several issues',
    description:
      'Changes or deletes up to 1,000 issues of a project, all of them or none: the issues in `issues`, or those that match `filter`. Each issue gets an event in its history. If one of them has changed since you read it, or another number matches, nothing changes.',
    access: { scope: 'issues:triage', publicKey: false, publicProject: false },
    effect: { kind: 'destroys-many', when: { action: ['delete'] } },
    body: BulkChange,
    maxBodyBytes: MAX_BODY_BYTES,
    answers: {
      200: {
        description: 'All issues were changed.',
        schema: BulkResult,
        headers: {
          'Idempotency-Replayed':
            '`true` if the change was already made and this repeats its first response.',
        },
      },
    },
    errors: [
      ...CHANGE_ERRORS,
      ...BODY_ERRORS,
      'not-found',
      'invalid-parameter',
      'bulk-conflict',
      'selection-changed',
      'invalid-transition',
      'is-duplicate',
      'limit-reached',
      'validation-failed',
    ],
  }),

  listIssueEvents: endpoint({
    name: 'listIssueEvents',
    method: 'GET',
    path: '/v1/issues/{id}/events',
    tag: 'issues',
    summary: "An issue's history",
    description: 'What happened to an issue and who did it, oldest first. Further reports are not included.',
    access: { scope: 'issues:read', publicKey: false, publicProject: false },
    params: IssueParams,
    query: CursorQuery,
    answers: { 200: { description: 'A page of events.', schema: EventPage } },
    errors: [...KEY_ERRORS, 'not-found', 'invalid-parameter', 'invalid-cursor'],
  }),
}
