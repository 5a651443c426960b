import type { Issue, Report } from '@bugle/contract'
import type { ReplyTo } from '../../../api/issues/comments.ts'
import { isolate } from '../../../ui/report-text/isolate.ts'
import { countOf } from '../../../ui/words.ts'

/** A person who has reported the issue and can receive replies. */
export interface IssueReporter {
  readonly id: string
  /** What the app calls them, if it does: anyone can type a name. */
  readonly reporter: Report['reporter']
  readonly isBlocked: boolean
  /** Their latest report of the issue. */
  readonly reportId: string
  readonly reportNumber: number
}

export interface Reporters {
  /** The most recent reporter comes first. */
  readonly known: readonly IssueReporter[]
  /** Whether earlier reports may have other reporters. */
  readonly isPart: boolean
  /** The reports by their number, without those of duplicates. */
  readonly reports: ReadonlyMap<number, Report>
  /** Whether the reports could not be loaded. */
  readonly hasFailed: boolean
}

export function findReporters(
  { id: issueId, reportCount }: Pick<Issue, 'id' | 'reportCount'>,
  all: readonly Report[],
): Reporters {
  const own = all.filter((report) => report.issueId === issueId)
  const known = new Map<string, IssueReporter>()
  for (const { reporterId, reporter, isReporterBlocked, id, reportNumber } of own) {
    if (reporterId === null) continue
    const newer = known.get(reporterId)
    known.set(reporterId, {
      ...(newer ?? { id: reporterId, isBlocked: isReporterBlocked, reportId: id, reportNumber }),
      reporter: newer?.reporter ?? reporter,
    })
  }
  return {
    known: [...known.values()],
    isPart: all.length < reportCount,
    reports: new Map(own.map((report) => [report.reportNumber, report])),
    hasFailed: false,
  }
}

/** What people call them. */
export function nameOf({ id, name, email }: NonNullable<Report['reporter']>): string {
  return name ?? email ?? id ?? ''
}

/** Whether anyone would read a reply. */
export function hasReaders({ known }: Reporters): boolean {
  return known.some(({ isBlocked }) => !isBlocked)
}

/** What the app says about the reporter of a report. */
export function findPerson({ known, reports }: Reporters, reportNumber: number): Report['reporter'] {
  const report = reports.get(reportNumber)
  return report?.reporter ?? known.find(({ id }) => id === report?.reporterId)?.reporter ?? null
}

/** The reporter of a report, within a sentence: `Ada`, or `the reporter of report 2`. */
export function callReporter(reporters: Reporters, reportNumber: number): string {
  const person = findPerson(reporters, reportNumber)
  return person === null ? `the reporter of report ${reportNumber}` : isolate(nameOf(person))
}

/** Who will read a reply, as a sentence. */
export function describeReaders(reporters: Reporters, { reportId }: ReplyTo): string {
  if (reporters.hasFailed) return 'The reporters could not be loaded.'
  if (reportId !== null) return describeReader(reporters, reportId)
  const count = reporters.known.filter(({ isBlocked }) => !isBlocked).length
  if (count === 0) return 'No reporter can read this.'
  const readers = `${countOf(count, 'reporter')} will read this`
  return `${reporters.isPart ? `At least ${readers}` : readers} in the app. Your name is not shown to them.`
}

function describeReader(reporters: Reporters, reportId: string): string {
  const report = [...reporters.reports.values()].find(({ id }) => id === reportId)
  if (report === undefined) return 'This report is not among the latest ones, or was deleted.'
  const name = callReporter(reporters, report.reportNumber)
  if (report.isReporterBlocked) return `Blocked: ${name} cannot read this.`
  return `Only ${name} will read this, in the app. Your name is not shown to them.`
}
