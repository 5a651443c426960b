export * from './endpoints/index.ts'
export * from './schemas/actors.ts'
export * from './schemas/attachments.ts'
export * from './schemas/bulk-changes.ts'
export * from './schemas/comments.ts'
export * from './schemas/deliveries.ts'
export * from './schemas/duplicates.ts'
export * from './schemas/events.ts'
export type {
  Exception,
  Frame,
  SourceContext,
  SubmittedException,
  SubmittedFrame,
} from './schemas/exceptions.ts'
export * from './schemas/health.ts'
export * from './schemas/issue-changes.ts'
export * from './schemas/issues.ts'
export * from './schemas/keys.ts'
export * from './schemas/known-issues.ts'
export * from './schemas/labels.ts'
export * from './schemas/my-reports.ts'
export * from './schemas/pagination.ts'
export * from './schemas/people.ts'
export * from './schemas/problems.ts'
export * from './schemas/projects.ts'
export * from './schemas/reports.ts'
export * from './schemas/sdk-config.ts'
export * from './schemas/session.ts'
export * from './schemas/sign-ins.ts'
export * from './schemas/spam.ts'
export * from './schemas/stats.ts'
export {
  IDEMPOTENCY_KEY_PATTERN,
  IdempotencyKey,
  IssueCreation,
  IssueRecord,
  IssueSubmission,
  SUBMISSION_ID_PATTERN,
} from './schemas/submissions.ts'
export * from './schemas/users.ts'
export * from './schemas/versions.ts'
export * from './schemas/views.ts'
export * from './schemas/webhook-messages.ts'
export * from './schemas/webhooks.ts'
export * from './vocabulary/index.ts'
