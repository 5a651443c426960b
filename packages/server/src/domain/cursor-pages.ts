import { type CursorQuery, DEFAULT_PAGE_SIZE } from '@bugle/contract'
import { decodeCursor, encodeCursor } from './cursors.ts'

/** Paging through a list with a single order, by one number. */
export function pagingOf(query: CursorQuery, list: readonly unknown[], beginning: number) {
  const pageSize = query.pageSize ?? DEFAULT_PAGE_SIZE
  const [from = beginning] = query.cursor === undefined ? [] : decodeCursor(list, query.cursor, 1)
  return {
    pageSize,
    from,
    /** `found` has one more row than is shown, if there is one. */
    paginate(found: number, last: number | undefined, totalCount: number | null) {
      const hasMore = found > pageSize && last !== undefined
      return {
        page: null,
        pageSize,
        hasMore,
        nextCursor: hasMore ? encodeCursor(list, [last]) : null,
        totalCount,
      }
    },
  }
}

/** The text of one page: a hundred of the longest would take seconds to send and to read. */
export const MAX_PAGE_CHARS = 256 * 1024

/** As many items as fit on a page, and at least one. */
export function fitting<T>(items: readonly T[], charsOf: (item: T) => number): readonly T[] {
  let chars = 0
  const end = items.findIndex((item, index) => {
    chars += charsOf(item)
    return index > 0 && chars > MAX_PAGE_CHARS
  })
  return end === -1 ? items : items.slice(0, end)
}
