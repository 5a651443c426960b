import type { StoredIssue } from '../../../model/issues.ts'
import {
  countSearchedWords,
  droppedText,
  FIRST_TEXT,
  hashText,
  type ReportText,
} from '../../../model/reports/report-texts.ts'
import type { NewReport } from '../../../model/reports/reports.ts'
import type { IssueTables, ProjectCounters } from '../issue-tables.ts'

interface KeptText {
  readonly textNumber: number
  /** The number of additional words by which the issue is found. */
  readonly words: number
}

/** Stores the text of a further report, with its exception, unless the issue already has the same text. */
export function keepText(
  tables: IssueTables,
  project: ProjectCounters,
  issue: StoredIssue,
  report: ReportText & Pick<NewReport, 'exception'> & { readonly reportNumber: number },
): KeptText {
  const { title, description, reportNumber, exception } = report
  // By far the most: crashes are reported again and again. Nothing is hashed, looked up or written.
  const isOwnText = issue.title === title && issue.description === description
  if (isOwnText && issue.editedAt === null) return { textNumber: FIRST_TEXT, words: 0 }
  const hash = hashText(report)
  const known = tables.findText(project, issue, hash)
  if (known !== undefined) return { textNumber: known, words: 0 }
  const number = tables.lastTextNumber(project, issue) + 1
  const words = countSearchedWords(report, number, issue.reportWords)
  tables.insertText(project, issue, { number, reportNumber, hash, words, title, description })
  if (exception !== undefined) tables.insertException(project, issue, number, exception)
  const dropped = droppedText(issue.category, number)
  if (dropped !== null) removeText(tables, project, issue, dropped)
  return { textNumber: number, words }
}

/** Removes a text and its exception. */
export function removeText(
  tables: IssueTables,
  project: ProjectCounters,
  issue: StoredIssue,
  number: number,
): void {
  tables.removeText(project, issue, number)
  tables.removeException(project, issue, number)
}

/** Stores the text of the first report before people change it in the issue. Returns how many of its words are searched. */
export function keepFirstText(tables: IssueTables, project: ProjectCounters, issue: StoredIssue): number {
  const { title, description } = issue
  const hash = hashText(issue)
  // It was redacted.
  if (tables.findText(project, issue, hash) !== undefined) return 0
  const words = countSearchedWords(issue, FIRST_TEXT, issue.reportWords)
  tables.insertText(project, issue, {
    number: FIRST_TEXT,
    reportNumber: 1,
    hash,
    words,
    title,
    description,
  })
  return words
}
