import { getCompileCacheDir } from 'node:module'
import { dirname, extname } from 'node:path'
import { Worker } from 'node:worker_threads'

/** Objects of a database thread live only as long as a message, so a larger young generation would only cost memory. */
const YOUNG_GENERATION_MB = 6

/** Runs a file of this folder in a separate thread, for the database at `path`. */
export function startThread(name: string, path: string, more: object = {}): Worker {
  const cache = getCompileCacheDir()
  // With the extension of this file: `.ts` in a clone, `.js` in the package.
  const file = name + extname(import.meta.filename)
  return new Worker(new URL(file, import.meta.url), {
    workerData: { path, ...more },
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
    // Threads do not inherit the cache of compiled code. Without it each thread strips the types again, which
    // takes as long as the rest of the startup, and 20 MB that are never released.
    env: cache === undefined ? process.env : { ...process.env, NODE_COMPILE_CACHE: dirname(cache) },
  })
}
