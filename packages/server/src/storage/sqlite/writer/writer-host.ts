import type { Migration, StorageObserver } from '../../storage.ts'
import { type Packed, packCalls, unpackResults } from '../threads/pack-calls.ts'
import type { WriterThread } from '../threads/start-writer.ts'
import { keepIndexing } from './keep-indexing.ts'
import { createWriter, type WriteCall, type WriteResult, type Writer } from './writer.ts'

/** Runs the writer. Results arrive in the order of the commits. */
export interface WriterHost {
  readonly migration: Migration
  commit(calls: readonly WriteCall[], answer: (results: readonly WriteResult[]) => void): void
  close(): Promise<void>
}

/** Runs the writer in a separate thread, so that the event loop never waits for the disk or a lock. */
export function hostInThread(
  { worker, migration }: WriterThread,
  { onCrash, onIndexDamage }: Pick<StorageObserver, 'onCrash' | 'onIndexDamage'>,
): WriterHost {
  const answers: ((results: Packed) => void)[] = []
  worker.on('message', (message: Packed | string) => {
    if (typeof message === 'string') onIndexDamage?.(message)
    else answers.shift()?.(message)
  })
  const exit = new Promise((resolve) => worker.once('exit', resolve))
  worker.on('error', onCrash)
  return {
    migration,
    commit(calls, answer) {
      answers.push((results) => answer(unpackResults(results, calls)))
      worker.postMessage(packCalls(calls))
    },
    async close() {
      worker.postMessage([])
      await exit
    },
  }
}

/** Runs a writer in this thread: for in-memory databases and short-lived commands. */
export function hostInline(path: string): { readonly host: WriterHost; readonly writer: Writer } {
  const writer = createWriter(path)
  const indexing = keepIndexing(writer)
  const host: WriterHost = {
    migration: writer.migration,
    commit(calls, answer) {
      answer(writer.commit(calls))
      indexing.keepUp()
    },
    async close() {
      indexing.stop()
      writer.close()
    },
  }
  return { host, writer }
}
