import { IssueParams } from '../../schemas/issues/issues.ts'
import { Report, ReportPage, ReportParams, ReportQuery } from '../../schemas/issues/reports.ts'
import { endpoint } from '../endpoint.ts'
import { CHANGE_ERRORS, KEY_ERRORS } from '../shared.ts'

const ACCESS = { scope: 'issues:delete', publicKey: false, publicProject: false } as const

const TRIAGE = { scope: 'issues:triage', publicKey: false, publicProject: false } as const

export const reportEndpoints = {
  listIssueReports: endpoint({
    name: 'listIssueReports',
    method: 'GET',
    path: '/v1/issues/{id}/reports',
    tag: 'issues',
    summary: 'List reports of an issue',
    description:
      'The reports grouped into an issue, and those of its duplicates, newest first, each as submitted: title and description, metadata, context, reporter, files, version, platform and device. Equal texts are stored once.',
    access: { scope: 'issues:read', publicKey: false, publicProject: false },
    params: IssueParams,
    query: ReportQuery,
    answers: { 200: { description: 'A page of reports.', schema: ReportPage } },
    errors: [...KEY_ERRORS, 'not-found', 'invalid-parameter', 'invalid-cursor'],
  }),

  deleteReport: endpoint({
    name: 'deleteReport',
    method: 'DELETE',
    path: '/v1/issues/{id}/reports/{reportId}',
    tag: 'issues',
    summary: 'Delete a report',
    description:
      'Permanently deletes one report, with its text unless another report of the issue has the same text, and erases the messages that its reporter wrote about it. The issue stays, and its history records that a report was deleted. The first report is part of the issue and cannot be deleted alone.',
    access: ACCESS,
    params: ReportParams,
    answers: { 204: { description: 'The report was deleted.' } },
    errors: [...CHANGE_ERRORS, 'not-found', 'first-report'],
  }),

  blockReporter: endpoint({
    name: 'blockReporter',
    method: 'PUT',
    path: '/v1/issues/{id}/reports/{reportId}/block',
    tag: 'issues',
    summary: 'Block the reporter of a report',
    description:
      'From now on, the secret that the report was submitted with shows no reports and sends no messages in this project, and further reports with it get the usual response and are stored as spam. The reporter is not told. What they have written stays.',
    access: TRIAGE,
    params: ReportParams,
    answers: { 204: { description: 'The reporter is blocked.' } },
    errors: [...CHANGE_ERRORS, 'not-found', 'no-reporter-secret'],
  }),

  unblockReporter: endpoint({
    name: 'unblockReporter',
    method: 'DELETE',
    path: '/v1/issues/{id}/reports/{reportId}/block',
    tag: 'issues',
    summary: 'Unblock the reporter of a report',
    description:
      'The reporter sees their reports again, and further ones are not spam, unless they were also blocked on an issue of the other kind (`security` or not).',
    access: TRIAGE,
    params: ReportParams,
    answers: { 204: { description: 'The reporter is not blocked.' } },
    errors: [...CHANGE_ERRORS, 'not-found', 'no-reporter-secret'],
  }),

  redactReport: endpoint({
    name: 'redactReport',
    method: 'POST',
    path: '/v1/issues/{id}/reports/{reportId}/redact',
    tag: 'issues',
    summary: 'Redact a report',
    description:
      'Permanently removes the title, description, metadata, context and reporter of a report, and the messages that its reporter wrote about it; the reporter no longer sees it. Every other report of the issue with the same title and description, including later ones, loses them too, but keeps its metadata, context and reporter. The title and description of the issue itself stay as they are: change them with `PATCH /v1/issues/{id}`.',
    access: ACCESS,
    params: ReportParams,
    answers: { 200: { description: 'The report as it is now.', schema: Report } },
    errors: [...CHANGE_ERRORS, 'not-found'],
  }),
}
