import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const PROCESS = fileURLToPath(new URL('./driver-process.ts', import.meta.url))

/** The placeholder for the number in requests that must differ, with this many digits. */
export const NUMBER_MARK = '############'

/** What to send, where and for how long. */
export interface Job {
  readonly port: number
  readonly connections: number
  readonly durationMs: number
  /** Raw HTTP requests, sent in turn. Every {@link NUMBER_MARK} in them becomes a number that was never sent before. */
  readonly requests: readonly string[]
  readonly status: ExpectedStatus
}

/** Any other status fails the run. */
export type ExpectedStatus = '2xx' | '304'

export interface Load {
  readonly requests: number
  readonly seconds: number
  readonly p50Ms: number
  readonly p99Ms: number
}

/** Loads a server from a separate process. */
export interface Driver extends AsyncDisposable {
  run(job: Job): Promise<Load>
}

export type DriverMessage = Load | { readonly fault: string }

export function startDriver(): Driver {
  const child: ChildProcess = fork(PROCESS)
  const exit = once(child, 'exit')
  return {
    async run(job) {
      const answer = once(child, 'message')
      child.send(job)
      const [message] = (await Promise.race([
        answer,
        exit.then(() => Promise.reject(new Error('the driver has ended'))),
      ])) as [DriverMessage]
      if ('fault' in message) throw new Error(message.fault)
      return message
    },
    async [Symbol.asyncDispose]() {
      child.disconnect()
      await exit
    },
  }
}
