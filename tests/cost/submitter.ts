import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/** Submits small reports to a project, one after the other, from a thread of its own: the work of other clients in this process does not count. */
export interface Submitter extends AsyncDisposable {
  start(): void
  /** How long each submission took since the start, in milliseconds. */
  stop(): Promise<readonly number[]>
}

/** What the thread is told when it starts. */
export interface SubmitterOptions {
  readonly url: string
  readonly key: string
}

export async function startSubmitter(order: SubmitterOptions): Promise<Submitter> {
  const thread = new Worker(new URL('./submitter-thread.ts', import.meta.url), { workerData: order })
  await once(thread, 'online')
  return {
    start: () => thread.postMessage('start'),
    async stop() {
      thread.postMessage('stop')
      const [times] = (await once(thread, 'message')) as [readonly number[]]
      return times
    },
    async [Symbol.asyncDispose]() {
      await thread.terminate()
    },
  }
}
