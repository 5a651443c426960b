import type { IssuePage } from '@bugle/contract'

/** Items on all pages kept, a few megabytes. When there are more it starts over: making a page again is cheap. */
const MAX_KEPT_ITEMS = 5_000
/** Pages that were asked for once. Most never are again, and what is kept for nothing is the dearest kind of garbage. */
const MAX_SEEN = 500

/** Pages of lists as they were last shown. The same page is asked for again and again, and it stays right until something happens in its project. */
export interface KeptPages {
  /** The page, unless something has happened since: the mark has changed. */
  find(name: string, mark: number): IssuePage | undefined
  /** Keeps a page that is asked for the second time. `mark` was read before it was made: what happened in between makes it too old, never too new. */
  keep(name: string, mark: number, page: IssuePage): void
}

export function createKeptPages(): KeptPages {
  const kept = new Map<string, { readonly mark: number; readonly page: IssuePage }>()
  const seen = new Set<string>()
  let items = 0

  function isSeenAgain(name: string): boolean {
    if (seen.delete(name)) return true
    if (seen.size >= MAX_SEEN) seen.clear()
    seen.add(name)
    return false
  }

  function drop(name: string): void {
    items -= sizeOf(kept.get(name)?.page)
    kept.delete(name)
  }

  return {
    find(name, mark) {
      const known = kept.get(name)
      return known?.mark === mark ? known.page : undefined
    },
    keep(name, mark, page) {
      if (!kept.has(name) && !isSeenAgain(name)) return
      drop(name)
      if (items + sizeOf(page) > MAX_KEPT_ITEMS) {
        kept.clear()
        items = 0
      }
      kept.set(name, { mark, page })
      items += sizeOf(page)
    },
  }
}

/** Also an empty page takes room. */
function sizeOf(page: IssuePage | undefined): number {
  return page === undefined ? 0 : page.data.length + 1
}
