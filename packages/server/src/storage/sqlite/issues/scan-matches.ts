import type { DatabaseSync } from 'node:sqlite'
import type { IssueSelection, ListBounds, SearchTerm } from '../../../model/issue-lists.ts'
import { createMatcher } from '../../../model/search/match-text.ts'
import { isPlainText, type SearchedText } from '../../../model/search/tokens.ts'
import { codesIn } from '../../issues/lane-codes.ts'
import type { KeyRange, Matches, MatchPlan } from '../../issues/lists/list-dialect.ts'
import { prepareOnce } from '../driver/statements.ts'
import { prepareSearchedTexts } from './search-index.ts'
import { type Step, stepsThrough } from './search-steps.ts'

/** The total length of texts that one search examines without the index. */
const MAX_SCANNED_CHARS = 2_000_000
/** Text that is not plain ASCII has to be split into words before it can be checked. */
const TOKENIZED_CHAR_COST = 8
/** The number of issues with an outdated index entry that a search examines itself; the others are found as indexed. */
const MAX_OUTDATED = 1_000

export interface Scan {
  readonly plan: MatchPlan
  readonly range: KeyRange
  /** An FTS5 query that narrows down the rows. */
  readonly match: string | null
}

/** Finds matches by examining rows, with the tokenizer of the index. Only visible rows are examined and counted. */
export function prepareScan(db: DatabaseSync, { scannedRows }: ListBounds, checkpoint: () => void) {
  const prepare = prepareOnce(db)
  const readTexts = prepareSearchedTexts(db)

  function textsIn(lanes: string, { low, high }: KeyRange, match: string | null, direction: string) {
    const texts =
      match === null
        ? prepare(
            `SELECT row, title, description, report_words FROM issues
             WHERE row > ? AND row < ? AND +lane IN (${lanes}) ORDER BY row ${direction}`,
          )
        : prepare(
            `SELECT i.row, i.title, i.description, i.report_words
             FROM search f CROSS JOIN issues i ON i.row = f.rowid
             WHERE f.search MATCH ? AND f.rowid > ? AND f.rowid < ? AND +i.lane IN (${lanes})
             ORDER BY f.rowid ${direction}`,
          )
    const bounds = [BigInt(low), BigInt(high)]
    return texts.iterate(
      ...(match === null ? bounds : [match, ...bounds]),
    ) as Iterable<unknown> as Iterable<TextRow>
  }

  /** Most issues have no such texts. */
  function reportTextsOf(text: TextRow, { searchesReports }: IssueSelection): readonly SearchedText[] {
    return text.report_words !== null && searchesReports ? readTexts(text.row) : NO_TEXTS
  }

  return {
    find({ plan, range, match }: Scan): Matches {
      const { selection, direction, counted } = plan
      const isMatch = matcherOf(selection.search ?? [])
      const lanes = codesOf(selection)
      const rows: number[] = []
      let scanned = 0
      let room = MAX_SCANNED_CHARS
      // FTS5 goes directly to the rows with a word; hidden rows are skipped one by one.
      const steps = match === null ? stepsThrough(range, direction) : [wholeOf(range)]
      for (const step of steps) {
        for (const text of textsIn(lanes, step.range, match, direction)) {
          const reportTexts = reportTextsOf(text, selection)
          if (isMatch(text, reportTexts)) rows.push(text.row)
          if (rows.length === counted) return { rows, stoppedAt: null, total: null }
          scanned++
          room -= costOf(text, reportTexts)
          if (scanned === scannedRows || room <= 0) return { rows, stoppedAt: text.row, total: null }
        }
        checkpoint()
      }
      return { rows, stoppedAt: null, total: rows.length }
    },

    /** The matches among issues with new report texts since they were indexed, in the order of the list. */
    findOutdated({ selection, direction }: MatchPlan, { low, high }: KeyRange): readonly number[] {
      const isMatch = matcherOf(selection.search ?? [])
      const outdated = prepare(
        `SELECT row, title, description, report_words FROM issues INDEXED BY issues_to_index
         WHERE report_words IS NOT indexed_words AND row > ? AND row < ? AND +lane IN (${codesOf(selection)})
         ORDER BY row ${direction} LIMIT ${MAX_OUTDATED}`,
      ).iterate(BigInt(low), BigInt(high)) as Iterable<unknown> as Iterable<TextRow>
      const rows: number[] = []
      let room = MAX_SCANNED_CHARS
      for (const text of outdated) {
        const reportTexts = reportTextsOf(text, selection)
        if (isMatch(text, reportTexts)) rows.push(text.row)
        room -= costOf(text, reportTexts)
        if (room <= 0) break
      }
      return rows
    },
  }
}

function wholeOf(range: KeyRange): Step {
  return { range }
}

interface TextRow {
  readonly row: number
  readonly title: string
  readonly description: string | null
  readonly report_words: number | null
}

const NO_TEXTS: readonly SearchedText[] = []

function matcherOf(
  terms: readonly SearchTerm[],
): (text: SearchedText, reportTexts: readonly SearchedText[]) => boolean {
  const matches = createMatcher(terms)
  return ({ title, description }, reportTexts) => matches(title, description, reportTexts)
}

function costOf({ title, description }: SearchedText, reportTexts: readonly SearchedText[]): number {
  const text = description === null ? title : title + description
  const own = text.length * (isPlainText(text) ? 1 : TOKENIZED_CHAR_COST)
  return reportTexts.reduce((cost, report) => cost + costOf(report, NO_TEXTS), own)
}

function codesOf(selection: IssueSelection): string {
  return codesIn(selection).join(', ')
}
