import { getCompileCacheDir } from 'node:module'
import { dirname, extname } from 'node:path'
import { type ResourceLimits, Worker } from 'node:worker_threads'

/** The extension of source files: `.ts` in a clone, `.cjs` in the package. */
export const SOURCE_EXTENSION = extname(import.meta.filename)

interface ThreadOptions {
  readonly workerData?: object
  readonly resourceLimits: ResourceLimits
}

/** Runs a file in a separate thread. */
export function startThread(file: URL, { workerData = {}, resourceLimits }: ThreadOptions): Worker {
  const cache = getCompileCacheDir()
  return new Worker(file, {
    workerData,
    resourceLimits,
    // Threads do not inherit the cache of compiled code. Without it each thread strips the types again, which
    // takes as long as the rest of the startup, and 20 MB that are never released.
    env: cache === undefined ? process.env : { ...process.env, NODE_COMPILE_CACHE: dirname(cache) },
  })
}
