import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/** Submits small reports to a project, one after the other, from a separate thread, so that other clients in this process do not affect the times. */
export interface Submitter extends AsyncDisposable {
  start(): void
  /** How long each submission took since the start, in milliseconds. Rejects if one was not stored. */
  stop(): Promise<readonly number[]>
}

/** The input of the thread. */
export interface SubmitterOptions {
  readonly url: string
  readonly key: string
}

/** The message of the thread when it has stopped. */
export type SubmitterResult = { readonly times: readonly number[] } | { readonly fault: string }

export async function startSubmitter(options: SubmitterOptions): Promise<Submitter> {
  const thread = new Worker(new URL('./submitter-thread.ts', import.meta.url), { workerData: options })
  await once(thread, 'online')
  let result = Promise.resolve<SubmitterResult>({ times: [] })
  return {
    start() {
      // Attached now, because a submission may fail long before the stop.
      result = once(thread, 'message').then(([message]) => message as SubmitterResult)
      thread.postMessage('start')
    },
    async stop() {
      thread.postMessage('stop')
      const stopped = await result
      if ('fault' in stopped) throw new Error(stopped.fault)
      return stopped.times
    },
    async [Symbol.asyncDispose]() {
      await thread.terminate()
    },
  }
}
