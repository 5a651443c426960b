import type { IssuePage } from '@bugle/contract'

/** Of all pages together, as text. When there are more it starts over: making a page again is cheap. */
const MAX_KEPT_CHARS = 4_000_000
/** Pages that were asked for once. Most never are again, and what is kept for nothing is the dearest kind of garbage. */
const MAX_SEEN = 500
/** Longer names are those of lists that nobody asks for twice. */
const MAX_NAME_CHARS = 1_000

/** Pages of lists as they were last shown. The same page is asked for again and again, and it stays right until something happens in its project. */
export interface KeptPages {
  /**
   * The page as it was made when the project had this mark, else it is made. One that is made a second time is kept.
   * The mark was read before: what happens in between makes a page too old for its mark, never too new.
   */
  take(name: string, mark: string, make: () => Promise<IssuePage>): Promise<IssuePage>
}

interface Kept {
  readonly mark: string
  readonly page: IssuePage
  readonly chars: number
}

export function createKeptPages(): KeptPages {
  const kept = new Map<string, Kept>()
  const seen = new Map<string, string>()
  let chars = 0

  function isSeenAgain(name: string, mark: string): boolean {
    if (seen.get(name) === mark) return true
    if (seen.size >= MAX_SEEN) seen.clear()
    seen.set(name, mark)
    return false
  }

  function keep(name: string, mark: string, text: string): void {
    chars += text.length - (kept.get(name)?.chars ?? 0)
    if (chars > MAX_KEPT_CHARS) {
      kept.clear()
      chars = text.length
    }
    // Read from text, it shares nothing with the issues that it was made of: an excerpt would keep its whole description.
    kept.set(name, { mark, page: JSON.parse(text) as IssuePage, chars: text.length })
  }

  return {
    async take(name, mark, make) {
      const known = kept.get(name)
      if (known?.mark === mark) return known.page
      const page = await make()
      if (name.length <= MAX_NAME_CHARS && isSeenAgain(name, mark)) keep(name, mark, JSON.stringify(page))
      return page
    },
  }
}
