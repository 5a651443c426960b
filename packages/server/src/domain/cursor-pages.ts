import { type CursorQuery, DEFAULT_PAGE_SIZE } from '@bugle/contract'
import { decodeCursor, encodeCursor } from './cursors.ts'

/** How a list with one order and one number as its place is walked. */
export function pagingOf(query: CursorQuery, list: readonly unknown[], beginning: number) {
  const pageSize = query.pageSize ?? DEFAULT_PAGE_SIZE
  const [from = beginning] = query.cursor === undefined ? [] : decodeCursor(list, query.cursor, 1)
  return {
    pageSize,
    from,
    /** `found` counts one row more than is shown, if there is one. */
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
