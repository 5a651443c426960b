import { eventEndpoints } from './events.ts'
import { healthEndpoints } from './health.ts'
import { attachmentEndpoints } from './issues/attachments.ts'
import { commentEndpoints } from './issues/comments.ts'
import { duplicateEndpoints } from './issues/duplicates.ts'
import { issueEndpoints } from './issues/issues.ts'
import { reportEndpoints } from './issues/reports.ts'
import { spamEndpoints } from './issues/spam.ts'
import { projectEndpoints } from './projects.ts'
import { knownIssueEndpoints } from './reporters/known-issues.ts'
import { myReportEndpoints } from './reporters/my-reports.ts'
import { sdkEndpoints } from './sdk-config.ts'
import { sessionEndpoints } from './session.ts'
import { webhookEndpoints } from './webhooks.ts'

export * from './endpoint.ts'

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
