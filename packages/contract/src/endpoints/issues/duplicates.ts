import { IssueMerge } from '../../schemas/issues/duplicates.ts'
import { Issue, IssuePage, IssueParams } from '../../schemas/issues/issues.ts'
import { CursorQuery } from '../../schemas/pagination.ts'
import { endpoint } from '../endpoint.ts'
import { BODY_ERRORS, CHANGE_ERRORS, IF_MATCH, KEY_ERRORS, SMALL_BODY_BYTES } from '../shared.ts'

const READ = { scope: 'issues:read', publicKey: false, publicProject: false } as const
const WRITE = { scope: 'issues:triage', publicKey: false, publicProject: false } as const

const CHANGED = {
  200: { description: 'The issue as it is now.', schema: Issue, headers: { ETag: 'Its new tag.' } },
}

export const duplicateEndpoints = {
  mergeIssue: endpoint({
    name: 'mergeIssue',
    method: 'POST',
    path: '/v1/issues/{id}/merge',
    tag: 'issues',
    summary: 'Merge an issue into another one',
    description:
      'Makes the issue a duplicate. If it is open, acknowledged or in progress, it is closed; its status cannot be changed until it is unmerged. Its reports, also new ones, stay with it; they also count for the other issue, which is the one that a regression reopens. Its own duplicates become duplicates of the other issue. Merging again changes nothing.',
    access: WRITE,
    params: IssueParams,
    body: IssueMerge,
    maxBodyBytes: SMALL_BODY_BYTES,
    headers: IF_MATCH,
    answers: CHANGED,
    errors: [
      ...CHANGE_ERRORS,
      ...BODY_ERRORS,
      'not-found',
      'limit-reached',
      'precondition-failed',
      'validation-failed',
    ],
  }),

  unmergeIssue: endpoint({
    name: 'unmergeIssue',
    method: 'POST',
    path: '/v1/issues/{id}/unmerge',
    tag: 'issues',
    summary: 'Make a duplicate an issue of its own again',
    description:
      'Restores the status that the issue had before it was merged. No report moves. Without effect if the issue is not a duplicate.',
    access: WRITE,
    params: IssueParams,
    headers: IF_MATCH,
    answers: CHANGED,
    errors: [...CHANGE_ERRORS, 'not-found', 'precondition-failed'],
  }),

  listDuplicates: endpoint({
    name: 'listDuplicates',
    method: 'GET',
    path: '/v1/issues/{id}/duplicates',
    tag: 'issues',
    summary: 'List the duplicates of an issue',
    description: 'The issues that were merged into this one, newest first.',
    access: READ,
    params: IssueParams,
    query: CursorQuery,
    answers: { 200: { description: 'A page of issues.', schema: IssuePage } },
    errors: [...KEY_ERRORS, 'not-found', 'invalid-parameter', 'invalid-cursor'],
  }),
}
