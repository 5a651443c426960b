import type { FaultLog } from '../domain/fault-log.ts'

/** Work that is repeated in the background until the server stops. */
export interface Jobs {
  /** Repeats a job. After a failure, it is retried at the next interval; while a run is in progress, further ones are skipped. */
  every(milliseconds: number, run: () => Promise<void>, complaint: string): void
  stop(): void
}

export function createJobs(faults: Pick<FaultLog, 'note'>): Jobs {
  const timers: NodeJS.Timeout[] = []

  return {
    every(milliseconds, run, complaint) {
      const quietMs = 10_000 + 2 * milliseconds
      let isRunning = false
      async function runAlone(): Promise<void> {
        if (isRunning) return
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
