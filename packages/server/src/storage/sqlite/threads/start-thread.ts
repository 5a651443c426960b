import type { Worker } from 'node:worker_threads'
import { SOURCE_EXTENSION, startThread as start } from '../../../start-thread.ts'

/** Objects of a database thread live only as long as a message, so a larger young generation would only cost memory. */
const YOUNG_GENERATION_MB = 6

/** Runs a file of this folder in a separate thread, for the database at `path`. */
export function startThread(name: string, path: string, more: object = {}): Worker {
  const file = new URL(name + SOURCE_EXTENSION, import.meta.url)
  const resourceLimits = { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB }
  return start(file, { workerData: { path, ...more }, resourceLimits })
}
