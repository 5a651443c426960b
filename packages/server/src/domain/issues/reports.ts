import { type Access, endpoints, type Report, type ReportPage, type ReportQuery } from '@bugle/contract'
import { showExceptions } from '../../model/crashes/report-exceptions.ts'
import { isId } from '../../model/ids.ts'
import type { StoredIssue } from '../../model/issues.ts'
import type { ReportCommand, ReportRecord } from '../../model/reports/reports.ts'
import { actorOf, type Caller } from '../access/access.ts'
import { showAttachment } from '../attachments/attachment-views.ts'
import { fitting, MAX_PAGE_CHARS, pagingOf } from '../cursor-pages.ts'
import { DomainError, notFound } from '../domain-error.ts'
import { isoReportedTime, isoTime } from '../iso-time.ts'
import type { IssueDependencies, IssueFinder } from './issue-finder.ts'

export interface Reports {
  listReports(caller: Caller, id: string, query: ReportQuery): Promise<ReportPage>
  deleteReport(caller: Caller, id: string, reportId: string): Promise<void>
  redactReport(caller: Caller, id: string, reportId: string): Promise<Report>
}

export function createReports({ storage, clock }: IssueDependencies, finder: IssueFinder): Reports {
  /** Other reports look like missing ones. */
  async function requireReport(caller: Caller, access: Access, id: string, reportId: string) {
    const { issue, sight } = await finder.requireIssue(caller, access, id)
    const report = isId('rep', reportId) ? await storage.issues.findReport(issue, reportId) : undefined
    if (report === undefined) throw notFound()
    const order: ReportCommand = {
      projectId: issue.projectId,
      issueId: issue.id,
      reportNumber: report.reportNumber,
      lanes: sight.lanes,
      actor: actorOf(caller),
      at: clock(),
    }
    return { issue, report, order }
  }

  /** The files of reports, by report number. */
  async function findFiles(
    issue: StoredIssue,
    reports: readonly ReportRecord[],
  ): Promise<ReadonlyMap<number, Report['attachments']>> {
    if (reports.length === 0) return new Map()
    const attachments = await storage.attachments.listOfReports({
      projectId: issue.projectId,
      issueNumber: issue.issueNumber,
      reportNumbers: reports.map(({ reportNumber }) => reportNumber),
    })
    const shown = attachments.map((attachment) => showAttachment(attachment, issue))
    return Map.groupBy(shown, ({ reportNumber }) => reportNumber)
  }

  return {
    async deleteReport(caller, id, reportId) {
      const { order } = await requireReport(caller, endpoints.deleteReport.access, id, reportId)
      const outcome = await storage.issues.deleteReport(order)
      if (outcome === 'missing') throw notFound()
      if (outcome === 'first') {
        throw new DomainError('first-report', {
          detail: 'This report created the issue and is part of it. Redact it, or delete the issue.',
        })
      }
    },

    async redactReport(caller, id, reportId) {
      const { issue, report, order } = await requireReport(
        caller,
        endpoints.redactReport.access,
        id,
        reportId,
      )
      if ((await storage.issues.redactReport(order)) === 'missing') throw notFound()
      const after = await storage.issues.find(issue.projectId, issue.id)
      const redacted = after && (await storage.issues.findReport(after, report.id))
      if (after === undefined || redacted === undefined) throw notFound()
      return showReport(redacted, (await findFiles(after, [redacted])).get(redacted.reportNumber))
    },

    async listReports(caller, id, query) {
      const { issue } = await finder.requireIssue(caller, endpoints.listIssueReports.access, id)
      const { distinct: isDistinct = false, includeText = true } = query
      const lastNumber = issue.reportCount + issue.deletedReports
      const paging = pagingOf(query, ['reports', issue.id, isDistinct], lastNumber + 1)
      const { from: before, pageSize } = paging
      const maxChars = includeText ? MAX_PAGE_CHARS : 0
      const listing = { issue, before, limit: pageSize + 1, isDistinct, maxChars }
      const reports = await storage.issues.listReports(listing)
      const page = reports.slice(0, pageSize)
      const shown = fitting(includeText ? page : page.map(withoutText), charsOf)
      const files = await findFiles(issue, includeText ? shown : [])
      const last = shown.at(-1)
      const found = shown.length < reports.length ? pageSize + 1 : shown.length
      return {
        data: shown.map((report) => showReport(report, files.get(report.reportNumber))),
        pagination: paging.paginate(
          found,
          last && (isDistinct ? (last.textNumber ?? 0) : last.reportNumber),
          isDistinct ? null : issue.reportCount,
        ),
      }
    },
  }
}

function withoutText(report: ReportRecord): ReportRecord {
  return { ...report, title: null, description: null, exception: null, metadata: null, context: null }
}

function charsOf({ title, description, exception, metadata, context }: ReportRecord): number {
  const own = JSON.stringify([metadata, context]).length
  return (title?.length ?? 0) + (description?.length ?? 0) + (exception?.length ?? 0) + own
}

function showReport(
  { receivedAt, occurredAt, textOmitted, exception, ...rest }: ReportRecord,
  attachments: Report['attachments'] = [],
): Report {
  return {
    ...rest,
    receivedAt: isoTime(receivedAt),
    occurredAt: isoReportedTime(occurredAt),
    textOmitted: textOmitted !== null,
    textOmittedReason: textOmitted,
    exception: exception === null ? null : showExceptions(exception),
    attachments,
  }
}
