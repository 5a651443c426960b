import {
  Message,
  MessageCreation,
  MessageList,
  MyReportList,
  MyReportParams,
  ReadMark,
  ReporterSecret,
} from '../../schemas/reporters/my-reports.ts'
import { REPORTER_HEADER } from '../../vocabulary/conversations.ts'
import { endpoint } from '../endpoint.ts'
import {
  BODY_ERRORS,
  COMMENT_BODY_BYTES,
  CONDITIONAL,
  KEY_ERRORS,
  NOT_MODIFIED,
  SMALL_BODY_BYTES,
} from '../shared.ts'

/** Any key of the project: what is shown depends only on the secret of the reporter. */
const ACCESS = { scope: null, publicKey: true, publicProject: false } as const
const REPORTER = { [REPORTER_HEADER]: ReporterSecret }
const TAG = { ETag: 'Changes whenever the response changes.' }

/** What people see of their own reports, in the app that they reported from. */
export const myReportEndpoints = {
  listMyReports: endpoint({
    name: 'listMyReports',
    method: 'GET',
    path: '/v1/my/reports',
    tag: 'my',
    summary: 'List your own reports',
    description:
      'The reports that were submitted with the SHA-256 of this secret as `reporterKeyHash`, newest first, with their status and the number of replies. An unknown secret gets an empty list. The response shows nothing of other people. To poll, send the `ETag` of the last response.',
    access: ACCESS,
    headers: { ...REPORTER, ...CONDITIONAL },
    crossOrigin: true,
    isForReporters: true,
    answers: {
      200: { description: 'The reports.', schema: MyReportList, headers: TAG },
      304: NOT_MODIFIED,
    },
    errors: [...KEY_ERRORS, 'not-found', 'invalid-parameter'],
  }),

  listMyMessages: endpoint({
    name: 'listMyMessages',
    method: 'GET',
    path: '/v1/my/reports/{reportId}/messages',
    tag: 'my',
    summary: 'Read the conversation about a report',
    description:
      'The replies of the team and your own messages, oldest first. A reply to all reporters is shown if it was written after the report arrived.',
    access: ACCESS,
    params: MyReportParams,
    headers: { ...REPORTER, ...CONDITIONAL },
    crossOrigin: true,
    isForReporters: true,
    answers: {
      200: { description: 'The conversation.', schema: MessageList, headers: TAG },
      304: NOT_MODIFIED,
    },
    errors: [...KEY_ERRORS, 'not-found', 'invalid-parameter'],
  }),

  sendMyMessage: endpoint({
    name: 'sendMyMessage',
    method: 'POST',
    path: '/v1/my/reports/{reportId}/messages',
    tag: 'my',
    summary: 'Write to the team',
    description:
      'Stores a message about your own report once per `messageId`, and responds once it is on disk. Only the team and you can read it.',
    access: ACCESS,
    params: MyReportParams,
    body: MessageCreation,
    maxBodyBytes: COMMENT_BODY_BYTES,
    headers: REPORTER,
    crossOrigin: true,
    isForReporters: true,
    // It is written by the same people as reports.
    countsAsSubmission: true,
    answers: {
      201: {
        description: 'The message.',
        schema: Message,
        headers: { 'Idempotency-Replayed': '`true` if the message was already stored.' },
      },
    },
    errors: [
      ...KEY_ERRORS,
      ...BODY_ERRORS,
      'not-found',
      'invalid-parameter',
      'message-conflict',
      'limit-reached',
      'validation-failed',
    ],
  }),

  markMyReportRead: endpoint({
    name: 'markMyReportRead',
    method: 'PUT',
    path: '/v1/my/reports/{reportId}/read',
    tag: 'my',
    summary: 'Mark replies as read',
    description:
      'The reply and all earlier ones no longer count as unread. A reply that was already read, or is not part of the conversation, changes nothing.',
    access: ACCESS,
    params: MyReportParams,
    body: ReadMark,
    maxBodyBytes: SMALL_BODY_BYTES,
    headers: REPORTER,
    crossOrigin: true,
    isForReporters: true,
    answers: { 204: { description: 'The replies are marked as read.' } },
    errors: [...KEY_ERRORS, ...BODY_ERRORS, 'not-found', 'invalid-parameter', 'validation-failed'],
  }),
}
