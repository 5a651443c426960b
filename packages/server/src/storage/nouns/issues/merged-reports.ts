import { lastReportNumber, ownReportCount } from '../../../model/decisions/duplicates.ts'
import type { StoredIssue } from '../../../model/issues.ts'
import { FIRST_TEXT } from '../../../model/reports/report-texts.ts'
import { type Dialect, forBoth, type Texts } from '../../dialects.ts'
import { type IssueValues, issueColumns, issueIn, shortColumns } from '../../issues/issue-rows.ts'
import { hexOfId } from '../../issues/merging/hex-ids.ts'
import { all, allLists, List, type Operation, storedSeq } from '../../operations.ts'
import type { MergedReport, MergedReportListing } from '../../ports/issues.ts'
import { DUPLICATES } from './duplicates.ts'
import {
  bytesIn,
  bytesOfReport,
  bytesOfText,
  firstReport,
  fittingRows,
  LONG_COLUMNS,
  SELECT_BY_NUMBER,
  SELECT_SHORT_BY_NUMBER,
  SELECT_SHORT_TEXTS,
  SELECT_TEXTS,
  selectReports,
  withExceptions,
  withoutException,
  withTexts,
} from './reports.ts'

const BYTES_OF_FIRST = bytesIn('i', ['title', 'description', ...LONG_COLUMNS])

/** The issue and its duplicates without long fields, and how many bytes the first report of each has. */
const short = shortColumns('i').join(', ')
const SELECT_MEMBERS: Texts = {
  postgres: `SELECT i.number, i.id, ${short}, ${BYTES_OF_FIRST} FROM ${DUPLICATES.postgres}`,
  sqlite: `SELECT i.row & 4294967295, i.id, ${short}, ${BYTES_OF_FIRST} FROM ${DUPLICATES.sqlite}`,
}
const SELECT_WHOLE = forBoth(
  (dialect) =>
    `SELECT ${issueColumns(dialect)} FROM issues i WHERE ${dialect.isKeyIn('i.number', dialect.seq('$1'), '$2')}`,
)

const LISTED = 'x.number, x.report_number, x.received_at, x.bytes'

/** The next reports of each of the issues `$2` before the numbers `$3`: four values for each report. */
const SELECT_NEXT = selectNext(
  ({ isSame }) => `e.number, e.number AS report_number, e.received_at, ${bytesOfReport(isSame)} AS bytes
    FROM reports e WHERE`,
)
const SELECT_NEXT_TEXTS = selectNext(
  ({ isSame }) => `e.number, e.report_number, (SELECT r.received_at FROM reports r
      WHERE ${isSame('r.issue_number', 'e.issue_number', '$1')} AND r.number = e.report_number) AS received_at,
      ${bytesOfText(isSame)} AS bytes
    FROM report_texts e WHERE e.number > ${FIRST_TEXT} AND`,
)

function selectNext(select: (dialect: Dialect) => string): Texts {
  const numbers = forBoth(
    (
      dialect,
    ) => `SELECT ${select(dialect)} ${dialect.isKey('e.issue_number', dialect.seq('$1'), 'k.issue_number')}
      AND e.number < k.before ORDER BY e.number DESC LIMIT $4`,
  )
  return {
    postgres: `SELECT k.issue_number, (SELECT json_agg(json_build_array(${LISTED})) FROM (${numbers.postgres}) x)::text AS found
      FROM unnest($2::integer[], $3::bigint[]) AS k (issue_number, before)`,
    sqlite: `SELECT k.issue_number, (SELECT json_group_array(json_array(${LISTED})) FROM (${numbers.sqlite}) x) AS found
      FROM (SELECT n.value AS issue_number, b.value AS before FROM json_each($2) n JOIN json_each($3) b ON b.key = n.key) k`,
  }
}

/** A report that may be listed. `number` is that of its text if distinct texts are listed. */
interface Candidate {
  readonly issueNumber: number
  readonly number: number
  readonly report_number: number
  readonly receivedAt: number
  readonly bytes: number
}

/** The reports of an issue and of its duplicates. The reports of each are in their own order; between them, the newest is first. */
export function* listMergedReports(listing: MergedReportListing): Operation<readonly MergedReport[]> {
  const { issue, limit, maxChars = Number.POSITIVE_INFINITY } = listing
  const key = storedSeq(issue.projectId)
  const rows = yield* allLists<IssueValues>(SELECT_MEMBERS, key, hexOfId(issue.id))
  const members = [
    { member: issue, bytes: 0 },
    ...rows.map((row) => ({ member: issueIn(row, issue.projectId), bytes: Number(row.at(-1)) })),
  ]
  const next = yield* findNext(
    listing,
    members.map(({ member }) => member),
  )
  const queues = members.map(({ member, bytes }) => {
    const own = next.get(member.issueNumber) ?? []
    const hasRoom = own.length < limit && placeOf(listing, member) > 1
    return hasRoom ? [...own, firstOf(member, bytes)] : own
  })
  const found = newestFirst(queues, limit)
  const fitting = maxChars === 0 ? found : fittingRows(found, maxChars)
  const byIssue = Map.groupBy(fitting, ({ issueNumber }) => issueNumber)
  const isShort = maxChars === 0
  const whole = isShort ? members.map(({ member }) => member) : yield* findWhole(issue, [...byIssue.keys()])
  const reports = new Map<string, MergedReport>()
  for (const owner of whole) {
    const candidates = byIssue.get(owner.issueNumber) ?? []
    if (candidates.length === 0) continue
    const further = candidates.filter(({ number }) => number > 1)
    const selected = yield* selectReports(owner, further, isShort ? SELECT_SHORT_BY_NUMBER : SELECT_BY_NUMBER)
    const own = further.length < candidates.length ? [...selected, firstReport(owner)] : selected
    const listed = isShort
      ? yield* withTexts(owner, own.map(withoutException), SELECT_SHORT_TEXTS)
      : yield* withTexts(owner, yield* withExceptions(owner, own), SELECT_TEXTS)
    for (const report of listed)
      reports.set(`${owner.issueNumber} ${report.reportNumber}`, { issue: owner, report })
  }
  return fitting.flatMap(
    ({ issueNumber, report_number }) => reports.get(`${issueNumber} ${report_number}`) ?? [],
  )
}

function placeOf({ places }: MergedReportListing, issue: StoredIssue): number {
  return places.get(issue.issueNumber) ?? lastReportNumber(issue) + 1
}

function firstOf({ issueNumber, createdAt }: StoredIssue, bytes: number): Candidate {
  return { issueNumber, number: 1, report_number: 1, receivedAt: createdAt, bytes }
}

function* findNext(
  listing: MergedReportListing,
  members: readonly StoredIssue[],
): Operation<ReadonlyMap<number, readonly Candidate[]>> {
  const { issue, limit, isDistinct } = listing
  const asked = members.filter((member) => ownReportCount(member) > 1 && placeOf(listing, member) > 1)
  if (asked.length === 0) return new Map()
  const rows = yield* all<{ issue_number: number; found: string | null }>(
    isDistinct ? SELECT_NEXT_TEXTS : SELECT_NEXT,
    storedSeq(issue.projectId),
    new List(asked.map(({ issueNumber }) => issueNumber)),
    new List(asked.map((member) => placeOf(listing, member))),
    limit,
  )
  return new Map(
    rows.map(({ issue_number: issueNumber, found }) => {
      const values = JSON.parse(found ?? '[]') as readonly (readonly [
        number,
        number,
        number | null,
        number,
      ])[]
      const candidates = values.map(([number, report_number, receivedAt, bytes]) => ({
        ...{ issueNumber, number, report_number, bytes },
        receivedAt: receivedAt ?? 0,
      }))
      return [issueNumber, candidates.sort((one, other) => other.number - one.number)]
    }),
  )
}

/** Takes the newest of the first reports of all queues, again and again. */
function newestFirst(queues: readonly (readonly Candidate[])[], limit: number): readonly Candidate[] {
  const taken: Candidate[] = []
  const heads = queues.map(() => 0)
  while (taken.length < limit) {
    let best = -1
    for (let index = 0; index < queues.length; index++)
      if (isNewer(queues[index]?.[heads[index] ?? 0], queues[best]?.[heads[best] ?? 0])) best = index
    const candidate = queues[best]?.[heads[best] ?? 0]
    if (candidate === undefined) break
    taken.push(candidate)
    heads[best] = (heads[best] ?? 0) + 1
  }
  return taken
}

function isNewer(one: Candidate | undefined, other: Candidate | undefined): boolean {
  if (one === undefined || other === undefined) return one !== undefined
  return one.receivedAt === other.receivedAt
    ? one.issueNumber > other.issueNumber
    : one.receivedAt > other.receivedAt
}

function* findWhole(issue: StoredIssue, numbers: readonly number[]): Operation<readonly StoredIssue[]> {
  const { projectId } = issue
  const rows = yield* allLists<IssueValues>(SELECT_WHOLE, storedSeq(projectId), new List([...numbers]))
  return rows.map((row) => issueIn(row, projectId))
}
