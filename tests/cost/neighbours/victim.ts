import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/** A connection that was idle for longer may just be closed by the server. */
export const REUSED_WITHIN_MS = 1_000

/** What the victim sends: what its neighbour could keep the server from accepting. */
export type VictimKind = 'submissions' | 'uploads' | 'large events' | 'events with files'

/** Sends 20 requests a second to its project, from a separate thread, so that the neighbour in this process does not affect the times. */
export interface Victim extends AsyncDisposable {
  /** Resolves when all of them have been answered. */
  send(kind: VictimKind, count: number): Promise<Sent>
}

export interface Sent {
  /** How long each request took, in milliseconds. */
  readonly times: readonly number[]
  /** The statuses of those that were refused. */
  readonly refusals: readonly number[]
}

/** The input of the thread. */
export interface VictimOptions {
  readonly url: string
  readonly key: string
  readonly projectNumber: number
}

/** The message of the thread when all requests have been answered. */
export type VictimResult = Sent | { readonly fault: string }

export async function startVictim(options: VictimOptions): Promise<Victim> {
  const thread = new Worker(new URL('./victim-thread.ts', import.meta.url), { workerData: options })
  await once(thread, 'online')
  return {
    async send(kind, count) {
      thread.postMessage({ kind, count })
      const [result]: [VictimResult] = (await once(thread, 'message')) as [VictimResult]
      if ('fault' in result) throw new Error(result.fault)
      return result
    },
    async [Symbol.asyncDispose]() {
      await thread.terminate()
    },
  }
}
