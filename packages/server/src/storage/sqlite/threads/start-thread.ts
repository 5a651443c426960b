import { getCompileCacheDir } from 'node:module'
import { dirname, extname } from 'node:path'
import { Worker } from 'node:worker_threads'

/** What a thread of the database makes is gone with its message; more room for it would only be more memory. */
const YOUNG_GENERATION_MB = 6

/** Runs a file of this folder in a thread of its own, for the database at `path`. */
export function startThread(name: string, path: string, more: object = {}): Worker {
  const cache = getCompileCacheDir()
  // As compiled as this file is: `.ts` in a clone, `.js` in the package.
  const file = name + extname(import.meta.filename)
  return new Worker(new URL(file, import.meta.url), {
    workerData: { path, ...more },
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
    // Threads do not inherit the cache of compiled code. Without it each strips the types anew, which takes as long as
    // everything else at the start, and 20 MB that are never given back.
    env: cache === undefined ? process.env : { ...process.env, NODE_COMPILE_CACHE: dirname(cache) },
  })
}
