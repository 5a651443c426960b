import { isServerThere } from './feedback/server-watch.ts'

/** How long until a page is asked for again while the server is away. */
const RETRY_MS = 2_000

/**
 * Loads the code of a page. While the server is away it keeps trying: the page that is shown stays until then. If the
 * server is there and the code is not, it has been replaced by a newer one; the router then reloads the page.
 */
export function loadPage<T>(load: () => Promise<T>): () => Promise<T> {
  return async () => {
    for (;;) {
      try {
        return await load()
      } catch (error) {
        if (await isServerThere()) throw error
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
      }
    }
  }
}
