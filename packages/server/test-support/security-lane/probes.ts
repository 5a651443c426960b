import { type Endpoint, endpoints } from '@bugle/contract'
import { sentryEndpoints } from '@bugle/contract/sentry'
import { COMMENT_PROBES } from './probes/comments.ts'
import { LIST_PROBES } from './probes/issue-lists.ts'
import { ISSUE_PROBES } from './probes/issues.ts'
import type { Probe } from './probes/prober.ts'
import { PROJECT_PROBES } from './probes/projects.ts'
import { REPORT_PROBES } from './probes/reports.ts'
import { SENTRY_PROBES } from './probes/sentry.ts'
import { SESSION_PROBES } from './probes/sessions.ts'
import { WEBHOOK_PROBES } from './probes/webhooks.ts'

/** How the lane is checked for each endpoint. The test fails if an endpoint is missing here. */
export const PROBES: Readonly<Record<string, Probe>> = {
  ...LIST_PROBES,
  ...ISSUE_PROBES,
  ...REPORT_PROBES,
  ...COMMENT_PROBES,
  ...PROJECT_PROBES,
  ...WEBHOOK_PROBES,
  ...SESSION_PROBES,
  ...SENTRY_PROBES,
}

/** The endpoints that have probes. */
export const ENDPOINTS = Object.values<Endpoint>({ ...endpoints, ...sentryEndpoints })
export const READING = ENDPOINTS.filter(({ method }) => method === 'GET')
export const WRITING = ENDPOINTS.filter(({ method }) => method !== 'GET')
/** The endpoints that show issues or counts of them. */
export const TELLING = [
  'listIssues',
  'countIssues',
  'retrieveIssue',
  'retrieveIssueByNumber',
  'listIssueEvents',
  'listIssueReports',
  'listIssueComments',
  'listIssueAttachments',
  'downloadAttachment',
  'listEvents',
  'getProjectStats',
  'getVersionStats',
  'listVersions',
  'listBranches',
  'listDeliveries',
]
