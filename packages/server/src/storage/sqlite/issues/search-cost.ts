import type { DatabaseSync } from 'node:sqlite'
import type { SearchTerm } from '../../../model/issue-lists.ts'

/** What FTS5 may read for one query, in pages of its index: so many take ten to twenty milliseconds. */
const MAX_COST = 600
/** A page of words with the same beginning takes as long as so many of one word: they are merged before the first match is known. */
const MERGED_PAGE_COST = 7

/** Begins every term of FTS5's main index. */
const MAIN_INDEX = '0'
/** Sorts after the term itself, and after all terms that begin with it. */
const AFTER_TERM = Buffer.from([0])
const AFTER_BEGINNING = Buffer.from([0xff])

/**
 * Tells what FTS5 has to read for a search. Where few issues have all terms, it reads everything that any of them has,
 * in all projects, before it gives the first match, whatever the range that is asked for. FTS5 keeps the first term of
 * each page in `search_idx`, so how many pages a term has takes two lookups for each segment of the index.
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
  // The lowest bit of a page's number says something else.
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
    isCheap(terms: readonly SearchTerm[]): boolean {
      let cost = 0
      return terms.every((term) => {
        cost += costOf(term)
        return cost <= MAX_COST
      })
    },
    /** The word of a search that the fewest issues have, about. */
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
