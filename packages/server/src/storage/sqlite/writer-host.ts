import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { keepIndexing } from './keep-indexing.ts'
import type { Migration } from './migrate.ts'
import { createWriter, type WriteCall, type WriteResult, type Writer } from './writer.ts'

/** Where the writer runs. Commits are answered in the order they were sent. */
export interface WriterHost {
  readonly migration: Migration
  commit(calls: readonly WriteCall[], answer: (results: readonly WriteResult[]) => void): void
  close(): Promise<void>
}

/** Runs the writer in a thread of its own, so that the event loop never waits for the disk or a lock. */
export async function hostInThread(path: string, onCrash: (error: Error) => void): Promise<WriterHost> {
  const worker = new Worker(new URL('./writer-thread.ts', import.meta.url), { workerData: { path } })
  const [migration] = (await once(worker, 'message')) as [Migration]
  const answers: ((results: readonly WriteResult[]) => void)[] = []
  worker.on('message', (results: readonly WriteResult[]) => answers.shift()?.(results))
  const exit = new Promise((resolve) => worker.once('exit', resolve))
  worker.on('error', onCrash)
  return {
    migration,
    commit(calls, answer) {
      answers.push(answer)
      worker.postMessage(calls)
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
  const stopIndexing = keepIndexing(writer)
  const host: WriterHost = {
    migration: writer.migration,
    commit(calls, answer) {
      answer(writer.commit(calls))
    },
    async close() {
      stopIndexing()
      writer.close()
    },
  }
  return { host, writer }
}
