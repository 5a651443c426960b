import {
  type Access,
  DEFAULT_PAGE_SIZE,
  endpoints,
  type Report,
  type ReportPage,
  type ReportQuery,
} from '@bugle/contract'
import { showExceptions } from '../../model/crashes/report-exceptions.ts'
import { lastReportNumber } from '../../model/decisions/duplicates.ts'
import { isId, type ProjectId } from '../../model/ids.ts'
import type { StoredIssue } from '../../model/issues.ts'
import { laneOf } from '../../model/lanes.ts'
import { reporterIdOf } from '../../model/reports/my-reports.ts'
import { FIRST_REPORT, type ReportCommand, type ReportRecord } from '../../model/reports/reports.ts'
import type { MergedReport, MergedReportListing } from '../../storage/ports/issues.ts'
import { actorOf, type Caller } from '../access/access.ts'
import { showAttachment } from '../attachments/attachment-views.ts'
import { fitting, MAX_PAGE_CHARS } from '../cursor-pages.ts'
import { DomainError, notFound } from '../domain-error.ts'
import { isoReportedTime, isoTime } from '../iso-time.ts'
import type { IssueDependencies, IssueFinder } from './issue-finder.ts'
import { decodePlaces, encodePlaces, type Places, placesAfter } from './report-places.ts'

export interface Reports {
  listReports(caller: Caller, id: string, query: ReportQuery): Promise<ReportPage>
  deleteReport(caller: Caller, id: string, reportId: string): Promise<void>
  redactReport(caller: Caller, id: string, reportId: string): Promise<Report>
  blockReporter(caller: Caller, id: string, reportId: string): Promise<void>
  unblockReporter(caller: Caller, id: string, reportId: string): Promise<void>
}

export function createReports({ storage, clock }: IssueDependencies, finder: IssueFinder): Reports {
  /** Other reports look like missing ones. */
  async function requireReport(caller: Caller, access: Access, id: string, reportId: string) {
    const { issue, sight } = await finder.requireIssue(caller, access, id)
    const report = isId('rep', reportId) ? await storage.issues.findReport(issue, reportId) : undefined
    if (report === undefined) throw notFound()
    const command: ReportCommand = {
      projectId: issue.projectId,
      issueId: issue.id,
      reportNumber: report.reportNumber,
      lanes: sight.lanes,
      actor: actorOf(caller),
      at: clock(),
    }
    return { issue, report, command }
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

  /** The same for reports of several issues, by report id. */
  async function findFilesOf(
    reports: readonly MergedReport[],
  ): Promise<ReadonlyMap<string, Report['attachments']>> {
    const byIssue = Map.groupBy(reports, ({ issue }) => issue.issueNumber)
    const found = await Promise.all(
      Array.from(byIssue.values(), async (own) => {
        const issue = own[0]?.issue
        const files =
          issue &&
          (await findFiles(
            issue,
            own.map(({ report }) => report),
          ))
        return own.map(({ report }) => [report.id, files?.get(report.reportNumber) ?? []] as const)
      }),
    )
    return new Map(found.flat())
  }

  async function findReports(listing: MergedReportListing): Promise<readonly MergedReport[]> {
    const { issue, places } = listing
    if (issue.duplicateCount > 0) return storage.issues.listMergedReports(listing)
    const before = places.get(issue.issueNumber) ?? lastReportNumber(issue) + 1
    const reports = await storage.issues.listReports({ ...listing, before })
    return reports.map((report) => ({ issue, report }))
  }

  async function setBlocked(caller: Caller, { id, reportId, isBlocked }: BlockCommand): Promise<void> {
    const { report, command } = await requireReport(caller, endpoints.blockReporter.access, id, reportId)
    const { reporterKeyHash: keyHash } = report
    if (keyHash === null) throw noSecret()
    const isFound = await storage.senders.setReporterBlocked({ ...command, keyHash, isBlocked })
    if (!isFound) throw notFound()
  }

  /** In a step of its own: if the server stops before the next one, the call can be repeated. */
  async function forgetReporter({ reporterKeyHash }: ReportRecord, command: ReportCommand): Promise<void> {
    if (reporterKeyHash !== null) await storage.myReports.forgetReporter(command)
  }

  /** The reports of an issue and its duplicates, which are all in one lane. */
  async function show({ projectId, reports, files }: ShownReports): Promise<Report[]> {
    const hashes = new Set(reports.flatMap(({ report }) => report.reporterKeyHash ?? []))
    const lane = reports[0] === undefined ? 'open' : laneOf(reports[0].issue.category)
    const blocked = await storage.senders.findBlockedReporters(projectId, lane, [...hashes])
    return reports.map((merged) =>
      showReport(merged, { attachments: files.get(merged.report.id) ?? [], blocked }),
    )
  }

  return {
    blockReporter: (caller, id, reportId) => setBlocked(caller, { id, reportId, isBlocked: true }),
    unblockReporter: (caller, id, reportId) => setBlocked(caller, { id, reportId, isBlocked: false }),

    async deleteReport(caller, id, reportId) {
      const { report, command } = await requireReport(caller, endpoints.deleteReport.access, id, reportId)
      if (command.reportNumber !== FIRST_REPORT) await forgetReporter(report, command)
      const outcome = await storage.issues.deleteReport(command)
      if (outcome === 'missing') throw notFound()
      if (outcome === 'first') {
        throw new DomainError('first-report', {
          detail: 'This report created the issue and is part of it. Redact it, or delete the issue.',
        })
      }
    },

    async redactReport(caller, id, reportId) {
      const { issue, report, command } = await requireReport(
        caller,
        endpoints.redactReport.access,
        id,
        reportId,
      )
      await forgetReporter(report, command)
      if ((await storage.issues.redactReport(command)) === 'missing') throw notFound()
      const after = await storage.issues.find(issue.projectId, issue.id)
      const redacted = after && (await storage.issues.findReport(after, report.id))
      if (after === undefined || redacted === undefined) throw notFound()
      const reports = [{ issue: after, report: redacted }]
      const { projectId } = after
      const [shown] = await show({ projectId, reports, files: await findFilesOf(reports) })
      if (shown === undefined) throw notFound()
      return shown
    },

    async listReports(caller, id, query) {
      const { issue } = await finder.requireIssue(caller, endpoints.listIssueReports.access, id)
      const { distinct: isDistinct = false, includeText = true } = query
      const pageSize = query.pageSize ?? DEFAULT_PAGE_SIZE
      const list = ['reports', issue.id, isDistinct]
      const places = query.cursor === undefined ? NO_PLACES : decodePlaces(list, query.cursor, issue)
      const maxChars = includeText ? MAX_PAGE_CHARS : 0
      const found = await findReports({ issue, places, limit: pageSize + 1, isDistinct, maxChars })
      const page = found.slice(0, pageSize)
      const shown = fitting(includeText ? page : page.map(withoutText), charsOf)
      const hasMore = shown.length < found.length
      return {
        data: await show({
          projectId: issue.projectId,
          reports: shown,
          // Without the texts, the files are left out, too.
          files: await findFilesOf(includeText ? shown : []),
        }),
        pagination: {
          page: null,
          pageSize,
          hasMore,
          nextCursor: hasMore ? encodePlaces(list, issue, placesAfter(places, shown, isDistinct)) : null,
          totalCount: isDistinct ? null : issue.reportCount,
        },
      }
    },
  }
}

const NO_PLACES: Places = new Map()

/** An issue and one of its reports, from the address, and whether its reporter is blocked from now on. */
interface BlockCommand {
  readonly id: string
  readonly reportId: string
  readonly isBlocked: boolean
}

interface ShownReports {
  readonly projectId: ProjectId
  readonly reports: readonly MergedReport[]
  /** By report id. */
  readonly files: ReadonlyMap<string, Report['attachments']>
}

export function noSecret(): DomainError {
  return new DomainError('no-reporter-secret', {
    detail:
      'This report was submitted without reporterKeyHash, or was redacted, so its reporter cannot be recognised.',
  })
}

function withoutText({ issue, report }: MergedReport): MergedReport {
  const none = { title: null, description: null, exception: null, metadata: null, context: null }
  return { issue, report: { ...report, ...none } }
}

function charsOf({ report }: MergedReport): number {
  const { title, description, exception, metadata, context } = report
  const own = JSON.stringify([metadata, context]).length
  return (title?.length ?? 0) + (description?.length ?? 0) + (exception?.length ?? 0) + own
}

interface ReportDetails {
  readonly attachments: Report['attachments']
  /** The hashes of the secrets of blocked reporters. */
  readonly blocked: readonly string[]
}

function showReport({ issue, report }: MergedReport, { attachments, blocked }: ReportDetails): Report {
  const { projectId, id: issueId, issueNumber } = issue
  const { receivedAt, occurredAt, textOmitted, exception, reporterKeyHash: keyHash, ...rest } = report
  return {
    ...rest,
    issueId,
    issueNumber,
    receivedAt: isoTime(receivedAt),
    occurredAt: isoReportedTime(occurredAt),
    textOmitted: textOmitted !== null,
    textOmittedReason: textOmitted,
    exception: exception === null ? null : showExceptions(exception),
    reporterId: keyHash === null ? null : reporterIdOf({ projectId, keyHash }),
    isReporterBlocked: keyHash !== null && blocked.includes(keyHash),
    attachments,
  }
}
