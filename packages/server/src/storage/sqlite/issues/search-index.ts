import type { DatabaseSync } from 'node:sqlite'
import type { Category } from '@bugle/contract/vocabulary'
import type { SearchTerm } from '../../../model/issue-lists.ts'
import { laneOf } from '../../../model/lanes.ts'
import { SEARCHED_TEXTS } from '../../../model/reports/report-texts.ts'
import {
  BORDER,
  isPlainText,
  roughSearchText,
  type SearchedText,
  tokensOfReports,
} from '../../../model/search/tokens.ts'
import { numberOf, rowKey } from '../driver/row-keys.ts'
import { prepareCommand, prepareLater, prepareSilent } from '../driver/statements.ts'

/** Marks issues of the security lane in the index. It is not a letter, so it cannot occur in a query. */
export const SECURITY_TOKEN = '\ue000'

/** Precedes each token of the reports' texts, which only some callers may search. It is not a letter either. */
export const REPORT_PREFIX = '\ue001'

/** The same term in the texts of reports. */
export function inReports({ tokens, isPrefix }: SearchTerm): SearchTerm {
  return { tokens: tokens.map((token) => REPORT_PREFIX + token), isPrefix }
}

/** Issues indexed in one step: enough to make it cheap, few enough for submissions to be handled in between. */
export const INDEX_STEP_ROWS = 1_000
/** The maximum length of their texts: the longest possible text takes about 15 ms. */
const INDEX_STEP_CHARS = 250_000
/** Text that is not plain ASCII is split into words in JavaScript, and Chinese text has as many words as characters. */
const TOKENIZED_CHAR_COST = 8

interface Searchable extends SearchedText {
  readonly category: Category
}

/** Reads the texts of an issue's reports that a search covers, by the key of the issue. */
export function prepareSearchedTexts(db: DatabaseSync): (row: number) => readonly SearchedText[] {
  const select = db.prepare(
    `SELECT title, description FROM report_texts
     WHERE issue_row = ? AND number <= ${SEARCHED_TEXTS} AND words > 0 ORDER BY number`,
  )
  return (row) => select.all(row) as unknown as readonly SearchedText[]
}

/**
 * A project's `indexed_number` while the full-text index must not be used: it is damaged, or has missed a change. Searches
 * scan issues instead, nothing is written to the index, and `bugle doctor --rebuild-search` rebuilds it.
 */
const DAMAGED = -1

/** Marks the index as unusable for all projects, because they share it. */
export function prepareDamageMark(db: DatabaseSync): () => void {
  const mark = prepareCommand(db, 'UPDATE projects SET indexed_number = ?')
  return () => void mark.run(DAMAGED)
}

/** Updates the full-text index after changes. New issues and new texts of reports are added later by {@link prepareIndexing}. */
export function prepareSearchWrites(db: DatabaseSync) {
  // Prepared when needed: without the index, everything else still works.
  const insert = prepareLater(() => prepareSilent(db, 'INSERT INTO search (rowid, tokens) VALUES (?, ?)'))
  const remove = prepareLater(() => prepareSilent(db, 'DELETE FROM search WHERE rowid = ?'))
  return {
    add(row: number, issue: Searchable, reportTexts: readonly SearchedText[] = []): void {
      insert(row, tokensOf(issue, reportTexts))
    },
    replace(row: number, issue: Searchable, reportTexts: readonly SearchedText[]): void {
      remove(row)
      insert(row, tokensOf(issue, reportTexts))
    },
    remove(row: number): void {
      remove(row)
    },
  }
}

/** Adds the newest issues and texts to the index afterwards, so that a submission does not wait for it. */
export function prepareIndexing(db: DatabaseSync, stepRows = INDEX_STEP_ROWS) {
  const search = prepareSearchWrites(db)
  const selectBehind = db.prepare(
    `SELECT seq, indexed_number FROM projects
     WHERE indexed_number > ${DAMAGED} AND indexed_number < last_issue_number`,
  )
  const selectNext = db.prepare(
    'SELECT row, title, description, category, report_words FROM issues WHERE row > ? AND row <= ? ORDER BY row',
  )
  selectNext.setReturnArrays(true)
  const selectOutdated = db.prepare(
    `SELECT i.row, i.title, i.description, i.category, i.report_words
     FROM issues i INDEXED BY issues_to_index JOIN projects p ON p.seq = i.row >> 32
     WHERE i.report_words IS NOT i.indexed_words AND (i.row & 4294967295) <= p.indexed_number LIMIT ?`,
  )
  selectOutdated.setReturnArrays(true)
  const textsOf = prepareSearchedTexts(db)
  const markWords = prepareSilent(db, 'UPDATE issues SET indexed_words = report_words WHERE row = ?')
  const mark = prepareSilent(
    db,
    'UPDATE projects SET indexed_number = min(?, last_issue_number) WHERE seq = ?',
  )

  return {
    isBehind: (): boolean => selectBehind.get() !== undefined || selectOutdated.get(1) !== undefined,
    /** Indexes the next issues, in a transaction of the caller; false when there was nothing to do. */
    indexSome(): boolean {
      const projects = selectBehind.all() as unknown as readonly Behind[]
      const room = { rows: stepRows, chars: INDEX_STEP_CHARS }
      for (const project of projects) {
        if (room.rows > 0 && room.chars > 0) mark(indexNext(project, room), project.seq)
      }
      return indexOutdated(room) || projects.length > 0
    },
  }

  /** Issues with new report texts since they were indexed. */
  function indexOutdated(room: Room): boolean {
    if (room.rows <= 0 || room.chars <= 0) return true
    const rows = selectOutdated.all(room.rows) as unknown as readonly IndexRow[]
    for (const [row, title, description, category] of rows) {
      const reportTexts = textsOf(row)
      search.replace(row, { title, description, category }, reportTexts)
      markWords(row)
      room.chars -= costOfTexts([{ title, description }, ...reportTexts])
      if (room.chars <= 0) return true
    }
    return rows.length > 0
  }

  /** Indexes issues of a project up to the limit; returns the number of the last indexed issue. */
  function indexNext({ seq, indexed_number: indexed }: Behind, room: Room): number {
    const end = indexed + room.rows
    const rows = selectNext.iterate(rowKey(seq, indexed), rowKey(seq, end)) as Iterable<unknown>
    for (const [row, title, description, category, reportWords] of rows as Iterable<IndexRow>) {
      const reportTexts = reportWords === null ? NO_TEXTS : textsOf(row)
      search.add(row, { title, description, category }, reportTexts)
      if (reportWords !== null) markWords(row)
      room.rows--
      room.chars -= costOf(title) + costOf(description ?? '') + costOfTexts(reportTexts)
      if (room.chars <= 0) return numberOf(row)
    }
    return end
  }
}

/** The remaining budget of one step. */
interface Room {
  rows: number
  chars: number
}

const NO_TEXTS: readonly SearchedText[] = []

function costOfTexts(texts: readonly SearchedText[]): number {
  return texts.reduce((cost, { title, description }) => cost + costOf(title) + costOf(description ?? ''), 0)
}

function costOf(text: string): number {
  return text.length * (isPlainText(text) ? 1 : TOKENIZED_CHAR_COST)
}

interface Behind {
  readonly seq: number
  readonly indexed_number: number
}

/** As lists of values: rows with named columns would be dictionaries, which are slower. */
type IndexRow = readonly [
  row: number,
  title: string,
  description: string | null,
  category: Category,
  reportWords: number | null,
]

// FTS5's own tokenizer, `ascii`, only has to split at spaces, although it can do more.
function tokensOf(
  { title, description, category }: Searchable,
  reportTexts: readonly SearchedText[],
): string {
  const own = roughSearchText(title, description)
  const text =
    reportTexts.length === 0 ? own : `${own} ${tokensOfReports(reportTexts).map(prefixed).join(' ')}`
  return laneOf(category) === 'security' ? `${text} ${SECURITY_TOKEN}` : text
}

function prefixed(token: string): string {
  return token === BORDER ? token : REPORT_PREFIX + token
}
