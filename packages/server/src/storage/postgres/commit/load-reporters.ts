import type { StoredIssue } from '../../../model/issues.ts'
import { type IssueReporter, identityOf } from '../../../model/reports/reporters.ts'
import type { GroupCall } from '../../issues/group-writes.ts'
import { prepared, type Transaction } from '../driver/connection.ts'
import type { LoadedReport } from './load-report.ts'
import { joinable } from './load-texts.ts'

/** By issue number and by what identifies the person. */
export type LoadedReporters = ReadonlyMap<number, ReadonlyMap<string, IssueReporter>>

type Needed = readonly (readonly [issueNumber: number, reporter: string])[]

/** A range and an order leave the planner only one index, even while the table is empty. */
const SELECT_REPORTERS = prepared(
  'load_reporters',
  `SELECT k.issue_number, k.reporter, r.email, r.reports
   FROM unnest($2::integer[], $3::text[]) AS k (issue_number, reporter)
   CROSS JOIN LATERAL (SELECT email, reports FROM issue_reporters WHERE project = $1 AND issue_number = k.issue_number
     AND reporter COLLATE "C" BETWEEN k.reporter AND k.reporter ORDER BY issue_number, reporter LIMIT 1) r`,
)

export async function loadReporters(
  tx: Transaction,
  projectSeq: number,
  needed: Needed,
): Promise<LoadedReporters> {
  if (needed.length === 0) return NONE
  const numbers = needed.map(([number]) => number)
  const reporters = needed.map(([, reporter]) => reporter)
  const rows = await tx.run<IssueReporter & { readonly issue_number: number }>(
    SELECT_REPORTERS(projectSeq, numbers, reporters),
  )
  const byIssue = Map.groupBy(rows, (row) => row.issue_number)
  return new Map(
    Array.from(byIssue, ([number, own]) => [
      number,
      new Map(own.map(({ reporter, email, reports }) => [reporter, { reporter, email, reports }])),
    ]),
  )
}

/** The reporters of reports that join an issue. */
export function neededReporters(found: readonly StoredIssue[], calls: readonly GroupCall[]): Needed {
  const byId = new Map(found.map((issue) => [issue.id, issue]))
  const byFingerprint = Map.groupBy(byId.values(), ({ fingerprint }) => fingerprint)
  return calls.flatMap((call) => {
    if (call[0] !== 'submitReport') return []
    const identity = identityOf(call[1].content.reporter)
    if (identity === null) return []
    return joinable(call[1], byId, byFingerprint)
      .filter(({ reporterCount }) => reporterCount > 0)
      .map(({ issueNumber }) => [issueNumber, identity] as const)
  })
}

/** The reporter of a report that is deleted or redacted. */
export function reporterOfReport(
  [issue]: readonly StoredIssue[],
  { reports }: LoadedReport,
  reportNumber: number,
): Needed {
  if (issue === undefined) return []
  const report = reports.find((one) => one.reportNumber === reportNumber)
  const identity = identityOf(report === undefined ? issue.reporter : report.reporter)
  return identity === null ? [] : [[issue.issueNumber, identity]]
}

export const NONE: LoadedReporters = new Map()
