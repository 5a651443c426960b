import { attachmentEndpoints } from './attachments.ts'
import { commentEndpoints } from './comments.ts'
import { duplicateEndpoints } from './duplicates.ts'
import { eventEndpoints } from './events.ts'
import { healthEndpoints } from './health.ts'
import { issueEndpoints } from './issues.ts'
import { knownIssueEndpoints } from './known-issues.ts'
import { myReportEndpoints } from './my-reports.ts'
import { projectEndpoints } from './projects.ts'
import { reportEndpoints } from './reports.ts'
import { sdkEndpoints } from './sdk-config.ts'
import { sessionEndpoints } from './session.ts'
import { spamEndpoints } from './spam.ts'
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
