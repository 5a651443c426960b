import { isServerThere } from './feedback/server-watch.ts'

/** The delay between attempts while the server is unavailable. */
const RETRY_MS = 2_000

/**
 * Loads the code of a page. While the server is unavailable it keeps trying, and the current page stays. If the
 * server is available but the code is not, a newer release has replaced it; the router then reloads the page.
 */
export function loadPage<T>(load: () => Promise<T>): () => Promise<T> {
  return async () => {
    for (let wasThere = false; ; ) {
      try {
        return await load()
      } catch (error) {
        const isThere = await isServerThere()
        // It may have come back since the code was requested.
        if (isThere && wasThere) throw error
        wasThere = isThere
        if (!isThere) await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
      }
    }
  }
}
