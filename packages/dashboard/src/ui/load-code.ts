import { isServerThere } from './feedback/server-watch.ts'

/** The delay between attempts while the server is unavailable. */
const RETRY_MS = 2_000

/**
 * Loads code. While the server is unavailable it keeps trying, and what is shown stays. If the server is available but
 * the code is not, a newer release has replaced it, or the browser remembers that it could not be loaded, as Chromium
 * does after a failed preload. The router then reloads the page, once.
 */
export function loadCode<T>(load: () => Promise<T>): () => Promise<T> {
  return async () => {
    for (let wasThere = false; ; ) {
      try {
        return await loadOnce(load)
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

/** Loads code once, and style sheets that failed before: Vite requests each only once and would continue without it. */
export async function loadOnce<T>(load: () => Promise<T>): Promise<T> {
  reloading ??= reloadStyles().finally(() => {
    reloading = undefined
  })
  const [styles] = await Promise.allSettled([reloading])
  // First: if a newer release has replaced the code, the router reloads the page on this error, not on that of a style sheet.
  const code = await load()
  if (styles.status === 'rejected') throw styles.reason
  return code
}

/** Shared by all that is loaded at the same time. */
let reloading: Promise<void> | undefined

const failedStyles = new Set<HTMLLinkElement>()

addEventListener(
  'error',
  ({ target }) => {
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') failedStyles.add(target)
  },
  { capture: true },
)

async function reloadStyles(): Promise<void> {
  const reloaded = [...failedStyles].map((failed) => {
    failedStyles.delete(failed)
    const link = failed.cloneNode() as HTMLLinkElement
    const loaded = new Promise((resolve, reject) => {
      link.addEventListener('load', resolve)
      link.addEventListener('error', () => reject(new Error(`${link.href} could not be loaded`)))
    })
    failed.remove()
    document.head.append(link)
    return loaded
  })
  await Promise.all(reloaded)
}
