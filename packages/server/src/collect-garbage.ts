import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** How long to wait after the start, so that the first requests are not delayed. */
const AFTER_START_MS = 1_000

/**
 * Runs a garbage collection once, after startup. An idle thread allocates too little to trigger one and would
 * keep the garbage of the startup as long as it is idle: 10 MB on the main thread. Takes about 30 ms.
 */
export function collectGarbageOfStart(): void {
  setTimeout(() => {
    // Contexts that are created from now on have the function; the current one does not.
    setFlagsFromString('--expose-gc')
    runInNewContext('gc')({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  }, AFTER_START_MS).unref()
}
