import { eventEndpoints } from './endpoints/events.ts'
import { healthEndpoints } from './endpoints/health.ts'
import { attachmentEndpoints } from './endpoints/issues/attachments.ts'
import { commentEndpoints } from './endpoints/issues/comments.ts'
import { duplicateEndpoints } from './endpoints/issues/duplicates.ts'
import { issueEndpoints } from './endpoints/issues/issues.ts'
import { reportEndpoints } from './endpoints/issues/reports.ts'
import { spamEndpoints } from './endpoints/issues/spam.ts'
import { projectEndpoints } from './endpoints/projects.ts'
import { knownIssueEndpoints } from './endpoints/reporters/known-issues.ts'
import { myReportEndpoints } from './endpoints/reporters/my-reports.ts'
import { sdkEndpoints } from './endpoints/sdk-config.ts'
import { sessionEndpoints } from './endpoints/session.ts'
import { webhookEndpoints } from './endpoints/webhooks.ts'

export * from './endpoints/effects.ts'
export * from './endpoints/endpoint.ts'
export * from './schemas/events.ts'
export * from './schemas/health.ts'
export * from './schemas/issues/attachments.ts'
export * from './schemas/issues/bulk-changes.ts'
export * from './schemas/issues/comments.ts'
export * from './schemas/issues/duplicates.ts'
export type {
  Exception,
  Frame,
  SourceContext,
  SubmittedException,
  SubmittedFrame,
} from './schemas/issues/exceptions.ts'
export * from './schemas/issues/issue-changes.ts'
export * from './schemas/issues/issues.ts'
export * from './schemas/issues/labels.ts'
export * from './schemas/issues/reports.ts'
export * from './schemas/issues/spam.ts'
export {
  IDEMPOTENCY_KEY_PATTERN,
  IdempotencyKey,
  IssueCreation,
  IssueRecord,
  IssueSubmission,
  SUBMISSION_ID_PATTERN,
} from './schemas/issues/submissions.ts'
export * from './schemas/pagination.ts'
export * from './schemas/people/actors.ts'
export * from './schemas/people/people.ts'
export * from './schemas/people/session.ts'
export * from './schemas/people/sign-ins.ts'
export * from './schemas/people/users.ts'
export * from './schemas/people/views.ts'
export * from './schemas/problems.ts'
export * from './schemas/projects/keys.ts'
export * from './schemas/projects/projects.ts'
export * from './schemas/projects/sdk-config.ts'
export * from './schemas/projects/stats.ts'
export * from './schemas/projects/versions.ts'
export * from './schemas/reporters/known-issues.ts'
export * from './schemas/reporters/my-reports.ts'
export * from './schemas/webhooks/deliveries.ts'
export * from './schemas/webhooks/webhook-messages.ts'
export * from './schemas/webhooks/webhooks.ts'
export * from './vocabulary/index.ts'

/** Every operation of the API. Server, client and OpenAPI are derived from this table. */
export const endpoints = {
  ...issueEndpoints,
  ...duplicateEndpoints,
  ...reportEndpoints,
  ...commentEndpoints,
  ...spamEndpoints,
  ...attachmentEndpoints,
  ...knownIssueEndpoints,
  ...myReportEndpoints,
  ...projectEndpoints,
  ...eventEndpoints,
  ...webhookEndpoints,
  ...sdkEndpoints,
  ...sessionEndpoints,
  ...healthEndpoints,
}
