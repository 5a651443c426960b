import type { StoredExceptions } from '../../../model/crashes/report-exceptions.ts'
import type { ReportId } from '../../../model/ids.ts'
import type { StoredIssue } from '../../../model/issues.ts'
import { FIRST_TEXT, REDACTED_TEXT, type ReportText } from '../../../model/reports/report-texts.ts'
import { type ReportRecord, reportIdOf } from '../../../model/reports/reports.ts'
import { type Dialect, forBoth, type Texts } from '../../dialects.ts'
import { ON_REPORTS } from '../../issues/issue-fields.ts'
import { all, List, type Operation, readId, storedId, storedSeq } from '../../operations.ts'
import type { ReportListing } from '../../ports/issues.ts'

export const LONG_COLUMNS = ['metadata', 'context']
const LONG_TEXTS = ['title', 'description']
/** Without reading the values: neither database does so for the length in bytes. */
export const bytesIn = (row: string, columns: readonly string[]) =>
  columns.map((column) => `coalesce(octet_length(${row}.${column}), 0)`).join(' + ')
const exceptionBytes = (isSame: Dialect['isSame'], textNumber: string) =>
  `coalesce((SELECT ${bytesIn('r', ['exception'])} FROM report_exceptions r
     WHERE ${isSame('r.issue_number', 'e.issue_number', '$1')} AND r.number = ${textNumber}), 0)`
/** The bytes of a report `e`, and of a text `e` with its first report. */
export const bytesOfReport = (isSame: Dialect['isSame']) => `${bytesIn('e', LONG_COLUMNS)} + coalesce((
       SELECT ${bytesIn('r', LONG_TEXTS)} FROM report_texts r
       WHERE ${isSame('r.issue_number', 'e.issue_number', '$1')} AND r.number = e.text_number), 0) + ${exceptionBytes(isSame, 'e.text_number')}`
export const bytesOfText = (isSame: Dialect['isSame']) => `${bytesIn('e', LONG_TEXTS)} + coalesce((
       SELECT ${bytesIn('r', LONG_COLUMNS)} FROM reports r
       WHERE ${isSame('r.issue_number', 'e.issue_number', '$1')} AND r.number = e.report_number), 0) + ${exceptionBytes(isSame, 'e.number')}`
const SELECT_NUMBERS = forBoth(
  ({ seq, isKey, isSame }) =>
    `SELECT e.number, e.number AS report_number, ${bytesOfReport(isSame)} AS bytes
     FROM reports e WHERE ${isKey('e.issue_number', seq('$1'), '$2')} AND e.number < $3::bigint
     ORDER BY e.number DESC LIMIT $4`,
)
export const SELECT_BY_NUMBER = selectByNumber('r.*')
const SHORT_COLUMNS = ON_REPORTS.columns.filter((column) => !LONG_COLUMNS.includes(column))
export const SELECT_SHORT_BY_NUMBER = selectByNumber(
  ['number', 'id', 'received_at', 'text_number', ...SHORT_COLUMNS].map((column) => `r.${column}`).join(', '),
)

function selectByNumber(columns: string) {
  return forBoth(
    ({ seq, isKey, isIn }) =>
      `SELECT ${columns} FROM reports r WHERE ${isKey('r.issue_number', seq('$1'), '$2')} AND ${isIn('r.number', '$3')}`,
  )
}

const SELECT_BY_ID = forBoth(
  ({ seq, isKey }) =>
    `SELECT r.* FROM reports r WHERE r.id = $3 AND ${isKey('r.issue_number', seq('$1'), '$2')}`,
)
export const SELECT_TEXTS = selectTexts('r.title, r.description')
export const SELECT_SHORT_TEXTS = selectTexts('substr(r.title, 1, 1) AS title, NULL AS description')

function selectTexts(columns: string) {
  return forBoth(
    ({ seq, isKey, isIn }) =>
      `SELECT r.number, ${columns} FROM report_texts r
       WHERE ${isKey('r.issue_number', seq('$1'), '$2')} AND ${isIn('r.number', '$3')}`,
  )
}

const SELECT_EXCEPTIONS = forBoth(
  ({ seq, isKey, isIn }) =>
    `SELECT r.number, r.exception FROM report_exceptions r
     WHERE ${isKey('r.issue_number', seq('$1'), '$2')} AND ${isIn('r.number', '$3')}`,
)

const SELECT_TEXT_NUMBERS = forBoth(
  ({ seq, isKey, isSame }) =>
    `SELECT e.number, e.report_number, ${bytesOfText(isSame)} AS bytes
     FROM report_texts e WHERE ${isKey('e.issue_number', seq('$1'), '$2')}
       AND e.number < $3::bigint AND e.number > ${FIRST_TEXT} ORDER BY e.number DESC LIMIT $4`,
)

/** The reports of an issue, newest first. */
export function* listReports(listing: ReportListing): Operation<readonly ReportRecord[]> {
  const { issue, before, limit, isDistinct, maxChars = Number.POSITIVE_INFINITY } = listing
  const key = [storedSeq(issue.projectId), issue.issueNumber] as const
  // In the order of the texts, as the cursor: deleting a report can make a later one the first with its text.
  const found = yield* all<FoundRow>(
    isDistinct ? SELECT_TEXT_NUMBERS : SELECT_NUMBERS,
    ...[...key, before, limit],
  )
  const fitting = maxChars === 0 ? found : fittingRows(found, maxChars)
  const rows = yield* selectReports(
    issue,
    fitting,
    maxChars === 0 ? SELECT_SHORT_BY_NUMBER : SELECT_BY_NUMBER,
  )
  const hasRoom = fitting === found && rows.length < limit && before > 1
  const reports = hasRoom ? [...rows, firstReport(issue)] : rows
  if (maxChars === 0) return yield* withTexts(issue, reports.map(withoutException), SELECT_SHORT_TEXTS)
  return yield* withTexts(issue, yield* withExceptions(issue, reports), SELECT_TEXTS)
}

/** The most bytes that a character takes. */
const MAX_CHAR_BYTES = 4

/** Ends after the row that goes beyond the limit. A character counts as four bytes, so the list is never shorter than callers expect. */
export function fittingRows<R extends Pick<FoundRow, 'bytes'>>(
  rows: readonly R[],
  maxChars: number,
): readonly R[] {
  let bytes = 0
  const end = rows.findIndex((row, index) => {
    const isBeyond = index >= 2 && bytes > maxChars * MAX_CHAR_BYTES
    bytes += row.bytes
    return isBeyond
  })
  return end === -1 ? rows : rows.slice(0, end)
}

export function* findReport(issue: StoredIssue, id: ReportId): Operation<ReportRecord | undefined> {
  const { projectId, issueNumber } = issue
  const reports =
    id === reportIdOf(issue.id)
      ? [firstReport(issue)]
      : (yield* all<ReportRow>(SELECT_BY_ID, storedSeq(projectId), issueNumber, storedId(id))).map(toReport)
  return (yield* withTexts(issue, yield* withExceptions(issue, reports), SELECT_TEXTS))[0]
}

export function* selectReports(
  issue: StoredIssue,
  found: readonly Pick<FoundRow, 'report_number'>[],
  select: Texts,
): Operation<readonly Bare[]> {
  if (found.length === 0) return []
  const numbers = new List(found.map((row) => row.report_number))
  const rows = yield* all<ReportRow>(select, storedSeq(issue.projectId), issue.issueNumber, numbers)
  const reports = new Map(rows.map((row) => [row.number, toReport(row)]))
  return found.flatMap((row) => reports.get(row.report_number) ?? [])
}

/** A report without its text. */
export type Untitled = Omit<ReportRecord, 'title' | 'description' | 'textOmitted'>
/** And without its exception. */
type Bare = Omit<Untitled, 'exception'>

export function withoutException(report: Bare): Untitled {
  return { ...report, exception: null }
}

export function* withExceptions(
  issue: StoredIssue,
  reports: readonly Bare[],
): Operation<readonly Untitled[]> {
  const numbers = new Set(reports.flatMap(({ textNumber }) => textNumber || []))
  if (numbers.size === 0) return reports.map(withoutException)
  const key = [storedSeq(issue.projectId), issue.issueNumber] as const
  const rows = yield* all<ExceptionRow>(SELECT_EXCEPTIONS, ...key, new List([...numbers]))
  const exceptions = new Map(rows.map(({ number, exception }) => [number, exception]))
  return reports.map((report) => ({ ...report, exception: exceptions.get(report.textNumber ?? 0) ?? null }))
}

export function* withTexts(
  issue: StoredIssue,
  reports: readonly Untitled[],
  select: Texts,
): Operation<readonly ReportRecord[]> {
  const numbers = new Set(reports.flatMap(({ textNumber }) => textNumber || []))
  // Each text is read once, however many of the reports have it.
  const rows =
    numbers.size === 0
      ? []
      : yield* all<TextRow>(
          select,
          ...[storedSeq(issue.projectId), issue.issueNumber, new List([...numbers])],
        )
  const texts = new Map(rows.map((row) => [row.number, row]))
  return reports.map((report) => ({ ...report, ...textOf(issue, report.textNumber, texts) }))
}

function textOf(
  issue: StoredIssue,
  textNumber: number | null,
  texts: ReadonlyMap<number, TextRow>,
): Pick<ReportRecord, 'title' | 'description' | 'textOmitted'> {
  if (textNumber === null) return NOT_RECORDED
  if (textNumber === REDACTED_TEXT) return REDACTED
  const stored = texts.get(textNumber)
  if (stored !== undefined) {
    const { title, description } = stored
    return title === null ? REDACTED : { title, description, textOmitted: null }
  }
  if (textNumber !== FIRST_TEXT) return OMITTED
  // Edited before texts were kept.
  if (issue.editedAt !== null) return NOT_RECORDED
  const { title, description } = issue
  return { title, description, textOmitted: null }
}

const OMITTED = { title: null, description: null, textOmitted: 'limit' } as const
const REDACTED = { title: null, description: null, textOmitted: 'redacted' } as const
const NOT_RECORDED = { title: null, description: null, textOmitted: 'not-recorded' } as const

function toReport(row: ReportRow): Bare {
  const values = ON_REPORTS.columns.map((column) => row[column] ?? null)
  const { number: reportNumber, received_at: receivedAt, text_number: textNumber } = row
  return { ...reportFrom(values), id: readId('rep', row.id), reportNumber, receivedAt, textNumber }
}

/** The report that created the issue is part of the issue. */
export function firstReport(issue: StoredIssue): Bare {
  const own = reportFrom(ON_REPORTS.valuesOf(issue))
  const { createdAt: receivedAt } = issue
  return { ...own, id: reportIdOf(issue.id), reportNumber: 1, receivedAt, textNumber: FIRST_TEXT }
}

type Own = Omit<Bare, 'id' | 'reportNumber' | 'receivedAt' | 'textNumber'>

function reportFrom(values: readonly unknown[]): Own {
  const report: Record<string, unknown> = { ...ON_REPORTS.emptyRecord }
  ON_REPORTS.fill(report, values, 0)
  // Known only in order to block its sender.
  const { sender: _, ...shown } = report
  return shown as object as Own
}

interface FoundRow {
  /** Of the report or, if distinct texts are listed, of the text. */
  readonly number: number
  readonly report_number: number
  readonly bytes: number
}

interface ReportRow {
  readonly [column: string]: unknown
  readonly id: unknown
  readonly number: number
  readonly received_at: number
  readonly text_number: number | null
}

interface ExceptionRow {
  readonly number: number
  readonly exception: StoredExceptions
}

interface TextRow extends Omit<ReportText, 'title'> {
  readonly number: number
  /** `null` if it was redacted. */
  readonly title: string | null
}
