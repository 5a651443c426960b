import type { DatabaseSync } from 'node:sqlite'
import type { SearchTerm } from '../../../model/issue-lists.ts'
import { inReports } from './search-index.ts'

/** The number of index pages that FTS5 may read for one query: they take ten to twenty milliseconds. */
const MAX_COST = 600
/** A page of words with a common prefix takes as long as this many pages of one word, because they are merged before the first match. */
const MERGED_PAGE_COST = 7

/** Begins every term of FTS5's main index. */
const MAIN_INDEX = '0'
/** Sorts after the term itself, and after all terms that start with it. */
const AFTER_TERM = Buffer.from([0])
const AFTER_BEGINNING = Buffer.from([0xff])

/**
 * Estimates what FTS5 has to read for a search. If few issues contain all terms, it reads all entries of
 * every term, in all projects, before it returns the first match, whatever the requested range. FTS5 stores
 * the first term of each page in `search_idx`, so two lookups for each segment of the index give the number
 * of pages of a term.
 */
export function prepareSearchCost(db: DatabaseSync) {
  const selectSegments = db.prepare(
    `WITH RECURSIVE segments (id) AS (
       SELECT min(segid) FROM search_idx
       UNION ALL
       SELECT (SELECT min(segid) FROM search_idx WHERE segid > segments.id) FROM segments WHERE id IS NOT NULL
     )
     SELECT id FROM segments WHERE id IS NOT NULL`,
  )
  // The lowest bit of a page number is a flag.
  const selectFirst = db.prepare(
    'SELECT pgno >> 1 AS page FROM search_idx WHERE segid = ? AND term <= ? ORDER BY term DESC LIMIT 1',
  )
  const selectNext = db.prepare(
    'SELECT pgno >> 1 AS page FROM search_idx WHERE segid = ? AND term > ? ORDER BY term LIMIT 1',
  )
  const selectLast = db.prepare('SELECT max(pgno >> 1) AS page FROM search_idx WHERE segid = ?')

  function pagesOf(token: string, after: Buffer): number {
    const begin = Buffer.from(MAIN_INDEX + token)
    const end = Buffer.concat([begin, after])
    return (selectSegments.all() as unknown as readonly { id: number }[]).reduce((pages, { id }) => {
      const first = (selectFirst.get(id, begin) as PageRow | undefined)?.page ?? 1
      const next = (selectNext.get(id, end) ?? selectLast.get(id)) as unknown as PageRow
      return pages + next.page - first
    }, 0)
  }

  function costOf({ tokens, isPrefix }: SearchTerm): number {
    const last = isPrefix ? tokens.slice(-1) : []
    const words = isPrefix ? tokens.slice(0, -1) : tokens
    return (
      words.reduce((sum, token) => sum + pagesOf(token, AFTER_TERM), 0) +
      last.reduce((sum, token) => sum + MERGED_PAGE_COST * pagesOf(token, AFTER_BEGINNING), 0)
    )
  }

  return {
    isCheap(terms: readonly SearchTerm[], searchesReports: boolean): boolean {
      let cost = 0
      const read = searchesReports ? [...terms, ...terms.map(inReports)] : terms
      return read.every((term) => {
        cost += costOf(term)
        return cost <= MAX_COST
      })
    },
    /** The word of a search that is probably in the fewest issues. */
    findRarest(terms: readonly SearchTerm[]): string | undefined {
      const words = terms.flatMap(({ tokens, isPrefix }) => (isPrefix ? tokens.slice(0, -1) : tokens))
      const costs = words.map((word) => ({ word, pages: pagesOf(word, AFTER_TERM) }))
      return costs.toSorted((a, b) => a.pages - b.pages)[0]?.word
    },
  }
}

interface PageRow {
  readonly page: number
}
