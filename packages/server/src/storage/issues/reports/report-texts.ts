import type { StoredIssue } from '../../../model/issues.ts'
import {
  countSearchedWords,
  droppedText,
  FIRST_TEXT,
  hashText,
  type ReportText,
} from '../../../model/reports/report-texts.ts'
import type { IssueTables, ProjectCounters } from '../issue-tables.ts'

interface KeptText {
  readonly textNumber: number
  /** The number of additional words by which the issue is found. */
  readonly words: number
}

/** Stores the text of a further report, unless the issue already has the same text. */
export function keepText(
  tables: IssueTables,
  project: ProjectCounters,
  issue: StoredIssue,
  report: ReportText & { readonly reportNumber: number },
): KeptText {
  const { title, description, reportNumber } = report
  // By far the most: crashes are reported again and again. Nothing is hashed, looked up or written.
  const isOwnText = issue.title === title && issue.description === description
  if (isOwnText && issue.editedAt === null) return { textNumber: FIRST_TEXT, words: 0 }
  const hash = hashText(report)
  const known = tables.findText(project, issue, hash)
  if (known !== undefined) return { textNumber: known, words: 0 }
  const number = tables.lastTextNumber(project, issue) + 1
  const words = countSearchedWords(report, number, issue.reportWords)
  tables.insertText(project, issue, { number, reportNumber, hash, words, title, description })
  const dropped = droppedText(issue.category, number)
  if (dropped !== null) tables.removeText(project, issue, dropped)
  return { textNumber: number, words }
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
