import { AttachmentReceipt } from '../../schemas/issues/attachments.ts'
import {
  Comment,
  CommentCreation,
  CommentPage,
  CommentParams,
  CommentPatch,
  CommentQuery,
  CommentUploadParams,
} from '../../schemas/issues/comments.ts'
import { IssueParams } from '../../schemas/issues/issues.ts'
import { MAX_DECLARED_BYTES } from '../../vocabulary/limits.ts'
import { endpoint } from '../endpoint.ts'
import { BODY_ERRORS, CHANGE_ERRORS, COMMENT_BODY_BYTES, KEY_ERRORS } from '../shared.ts'

const READ = { scope: 'issues:read', publicKey: false, publicProject: false } as const
const WRITE = { scope: 'issues:triage', publicKey: false, publicProject: false } as const

export const commentEndpoints = {
  listIssueComments: endpoint({
    name: 'listIssueComments',
    method: 'GET',
    path: '/v1/issues/{id}/comments',
    tag: 'issues',
    summary: 'List comments on an issue',
    description:
      'What the team wrote about an issue, oldest first. `GET /v1/issues/{id}/events` has the same comments in one timeline with the history.',
    access: READ,
    params: IssueParams,
    query: CommentQuery,
    answers: { 200: { description: 'A page of comments.', schema: CommentPage } },
    errors: [...KEY_ERRORS, 'not-found', 'invalid-parameter', 'invalid-cursor'],
  }),

  createComment: endpoint({
    name: 'createComment',
    method: 'POST',
    path: '/v1/issues/{id}/comments',
    tag: 'issues',
    summary: 'Comment on an issue',
    description:
      'Stores a comment once per `commentId`, and responds once it is on disk. It does not change the `version` of the issue.',
    access: WRITE,
    params: IssueParams,
    body: CommentCreation,
    maxBodyBytes: COMMENT_BODY_BYTES,
    answers: {
      201: {
        description: 'The comment. If it was stored earlier, with the changes made since.',
        schema: Comment,
        headers: {
          'Idempotency-Replayed': '`true` if the comment was already stored.',
        },
      },
    },
    errors: [
      ...CHANGE_ERRORS,
      ...BODY_ERRORS,
      'not-found',
      'comment-conflict',
      'no-reporter-secret',
      'limit-reached',
      'validation-failed',
    ],
  }),

  changeComment: endpoint({
    name: 'changeComment',
    method: 'PATCH',
    path: '/v1/issues/{id}/comments/{commentId}',
    tag: 'issues',
    summary: 'Edit a comment',
    description:
      'Replaces the text or the files of a comment. Only its author may do so. The history records that it was edited; the earlier text and files that were removed are not kept.',
    access: WRITE,
    params: CommentParams,
    body: CommentPatch,
    maxBodyBytes: COMMENT_BODY_BYTES,
    mediaTypes: ['application/merge-patch+json', 'application/json'],
    answers: { 200: { description: 'The comment as it is now.', schema: Comment } },
    errors: [...CHANGE_ERRORS, ...BODY_ERRORS, 'not-found', 'not-author', 'validation-failed'],
  }),

  deleteComment: endpoint({
    name: 'deleteComment',
    method: 'DELETE',
    path: '/v1/issues/{id}/comments/{commentId}',
    tag: 'issues',
    summary: 'Delete a comment',
    description:
      'Permanently removes the text and the files of a comment, also from events and from webhook messages that have not been sent yet. Its author may do so, and callers with `issues:delete`. The history records that there was a comment.',
    access: WRITE,
    params: CommentParams,
    answers: { 204: { description: 'The comment was deleted.' } },
    errors: [...CHANGE_ERRORS, 'not-found', 'not-author'],
  }),

  uploadCommentAttachment: endpoint({
    name: 'uploadCommentAttachment',
    method: 'PUT',
    path: '/v1/issues/{id}/comments/{commentId}/attachments/{sha256}',
    tag: 'issues',
    summary: 'Upload a file of a comment',
    description:
      'Sends the bytes of a file that a comment declared, as the raw body. Only the author of the comment may do so. The response is sent once they are on disk. The request can be repeated safely, and the bytes are always required.',
    access: WRITE,
    params: CommentUploadParams,
    hasRawBody: true,
    maxBodyBytes: MAX_DECLARED_BYTES,
    answers: {
      201: { description: 'Received.', schema: AttachmentReceipt },
      200: { description: 'Already received for this comment.', schema: AttachmentReceipt },
    },
    errors: [
      ...CHANGE_ERRORS,
      'not-found',
      'not-author',
      'content-too-large',
      'unsupported-media-type',
      'digest-mismatch',
      'insufficient-storage',
    ],
  }),
}
