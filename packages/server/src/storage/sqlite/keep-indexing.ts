import type { Writer } from './writer.ts'

/** How long a new issue may wait for the full-text index. Searches find it meanwhile, by looking at it. */
const INDEX_INTERVAL_MS = 250
/** Indexing makes way for submissions after this long. */
const INDEX_TURN_MS = 50

/** Catches up with new issues again and again; returns how to stop it. */
export function keepIndexing(writer: Writer): () => void {
  const timer = setInterval(() => {
    const began = performance.now()
    while (performance.now() - began < INDEX_TURN_MS && writer.indexSome());
  }, INDEX_INTERVAL_MS)
  // It never keeps a process alive that has nothing else to do.
  timer.unref()
  return () => clearInterval(timer)
}
