import type { IssueId } from '../../../model/ids.ts'
import type { StoredIssue } from '../../../model/issues.ts'
import { hashText, type ReportText, SEARCHED_TEXTS } from '../../../model/reports/report-texts.ts'
import type { NewReport } from '../../../model/reports/reports.ts'
import type { SearchedText } from '../../../model/search/tokens.ts'
import { setIn } from '../../issues/counts/nested-maps.ts'
import type { GroupCall } from '../../issues/group-writes.ts'
import { prepared, type Transaction } from '../driver/connection.ts'
import { uuidOf } from '../driver/uuids.ts'

export interface SearchedReportText extends SearchedText {
  readonly number: number
}

export interface LoadedTexts {
  /** The numbers of texts that are stored, by hash. */
  readonly numbers: ReadonlyMap<string, number>
  /** The highest number, if one of the requested texts is not stored. */
  readonly last: number
}

const SELECT_SEARCHED_TEXTS = prepared(
  'load_searched_texts',
  `SELECT issue_number, number, title, description FROM report_texts
   WHERE project = $1 AND issue_number = ANY (ARRAY(SELECT number FROM issues WHERE project = $1 AND id = ANY ($2)))
     AND number <= ${SEARCHED_TEXTS} AND words > 0`,
)
/** A range and an order leave the planner only one index. The last number is needed only to store another text. */
const SELECT_TEXTS = prepared(
  'load_texts',
  `SELECT k.issue_number, k.hash, t.number, CASE WHEN t.number IS NULL THEN (
       SELECT number FROM report_texts WHERE project = $1 AND issue_number = k.issue_number
       ORDER BY issue_number DESC, number DESC LIMIT 1) END AS last
   FROM (SELECT n AS issue_number, h AS hash, decode(h, 'hex') AS bytes
         FROM unnest($2::integer[], $3::text[]) AS u (n, h)) k
   LEFT JOIN LATERAL (SELECT number FROM report_texts WHERE project = $1 AND issue_number = k.issue_number
     AND hash BETWEEN k.bytes AND k.bytes ORDER BY issue_number, hash LIMIT 1) t ON TRUE`,
)

/** Texts that may have to be stored, by issue number and hash: of reports that join an issue, and of issues that are edited. */
export function neededTexts(
  found: readonly StoredIssue[],
  calls: readonly GroupCall[],
): readonly (readonly [issueNumber: number, hash: string])[] {
  // A fingerprint is requested once for each report that has it.
  const issues = new Map(found.map((issue) => [issue.id, issue]))
  const byFingerprint = Map.groupBy(issues.values(), ({ fingerprint }) => fingerprint)
  return calls.flatMap((call) => {
    if (call[0] === 'changeIssue') {
      const { patch, issueId } = call[1]
      const issue = issues.get(issueId)
      const mayChangeText = patch.title !== undefined || patch.description !== undefined
      return issue?.editedAt === null && mayChangeText ? [[issue.issueNumber, hashText(issue)] as const] : []
    }
    if (call[0] !== 'submitReport') return []
    const { content } = call[1]
    return joinable(call[1], issues, byFingerprint)
      .filter((issue) => !hasText(issue, content))
      .map(({ issueNumber }) => [issueNumber, hashText(content)] as const)
  })
}

/** The issues that a report may join. */
export function joinable(
  { content: { fingerprint }, knownIssueId }: NewReport,
  byId: ReadonlyMap<IssueId, StoredIssue>,
  byFingerprint: ReadonlyMap<string | null, readonly StoredIssue[]>,
): readonly StoredIssue[] {
  const known = knownIssueId === undefined ? undefined : byId.get(knownIssueId)
  const alike = fingerprint === null ? [] : (byFingerprint.get(fingerprint) ?? [])
  return known === undefined ? alike : [known, ...alike.filter((issue) => issue !== known)]
}

function hasText(issue: StoredIssue, { title, description }: ReportText): boolean {
  return issue.editedAt === null && issue.title === title && issue.description === description
}

export async function loadTexts(
  tx: Transaction,
  projectSeq: number,
  needed: readonly (readonly [issueNumber: number, hash: string])[],
): Promise<ReadonlyMap<number, LoadedTexts>> {
  if (needed.length === 0) return new Map()
  const numbers = needed.map(([number]) => number)
  const hashes = needed.map(([, hash]) => hash)
  const texts = new Map<number, { readonly numbers: Map<string, number>; last: number }>()
  for (const row of await tx.run<TextRow>(SELECT_TEXTS(projectSeq, numbers, hashes))) {
    const own = texts.get(row.issue_number) ?? setIn(texts, row.issue_number, { numbers: new Map(), last: 0 })
    if (row.number !== null) own.numbers.set(row.hash, row.number)
    if (row.last !== null) own.last = row.last
  }
  return texts
}

interface TextRow {
  readonly issue_number: number
  readonly hash: string
  /** `null` if the issue does not have the text. */
  readonly number: number | null
  /** Then the highest number of a text that it has; `null` if it has none. */
  readonly last: number | null
}

/** The texts that a search covers, by issue number, of issues with these ids. */
export async function loadSearchedTexts(
  tx: Transaction,
  projectSeq: number,
  issueIds: readonly IssueId[],
): Promise<ReadonlyMap<number, readonly SearchedReportText[]>> {
  if (issueIds.length === 0) return new Map()
  const rows = await tx.run<SearchedReportText & { readonly issue_number: number }>(
    SELECT_SEARCHED_TEXTS(projectSeq, issueIds.map(uuidOf)),
  )
  return Map.groupBy(rows, (row) => row.issue_number)
}
