import type { FaultLog } from '../domain/fault-log.ts'

/** Work that is repeated in the background until the server stops. */
export interface Jobs {
  /** Repeats a job. After a failure, it is retried at the next interval; while a run is in progress, further ones are skipped. */
  every(milliseconds: number, run: () => Promise<void>, complaint: string, options?: JobOptions): void
  stop(): void
}

interface JobOptions {
  /** For a job that, after a failure, does nothing for longer than its interval: how long. */
  readonly retryMs?: number
  /** For a job that also runs while the others are paused. */
  readonly isNeverPaused?: true
}

export function createJobs(faults: Pick<FaultLog, 'note'>, isPaused = () => false): Jobs {
  const timers: NodeJS.Timeout[] = []

  return {
    every(milliseconds, run, complaint, { retryMs = milliseconds, isNeverPaused = undefined } = {}) {
      const quietMs = 10_000 + 2 * Math.max(milliseconds, retryMs)
      let isRunning = false
      async function runAlone(): Promise<void> {
        if (isRunning || (isPaused() && !isNeverPaused)) return
        isRunning = true
        await run().catch((error: unknown) => faults.note(complaint, error, quietMs))
        isRunning = false
      }
      timers.push(setInterval(runAlone, milliseconds))
    },
    stop() {
      for (const timer of timers) clearInterval(timer)
    },
  }
}
