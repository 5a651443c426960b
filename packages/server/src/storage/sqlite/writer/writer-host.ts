import { once } from 'node:events'
import type { StorageObserver } from '../../storage.ts'
import type { Migration } from '../migrations/migrate.ts'
import { type Packed, packCalls, unpackResults } from '../threads/pack-calls.ts'
import { startThread } from '../threads/start-thread.ts'
import { keepIndexing } from './keep-indexing.ts'
import { createWriter, type WriteCall, type WriteResult, type Writer } from './writer.ts'

/** Where the writer runs. Commits are answered in the order they were sent. */
export interface WriterHost {
  readonly migration: Migration
  commit(calls: readonly WriteCall[], answer: (results: readonly WriteResult[]) => void): void
  close(): Promise<void>
}

/** Runs the writer in a thread of its own, so that the event loop never waits for the disk or a lock. */
export async function hostInThread(
  path: string,
  { onCrash, onIndexDamage }: Pick<StorageObserver, 'onCrash' | 'onIndexDamage'>,
): Promise<WriterHost> {
  const worker = startThread('writer-thread', path)
  const [migration] = (await once(worker, 'message')) as [Migration]
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

/** Runs a writer right here: for a database in memory, and for commands that do one thing and end. */
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
