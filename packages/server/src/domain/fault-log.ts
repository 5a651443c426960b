import { FileStoreFull, FileStoreUnavailable } from '../storage/files/file-store.ts'
import { BackupFailed } from '../storage/ports/backups.ts'
import { StorageUnavailable } from '../storage/storage.ts'
import { DomainError } from './domain-error.ts'

/** A fault that has not occurred for this long is over, unless its work is rarer. */
const QUIET_MS = 10_000
/** More kinds of faults than this at a time are logged one by one. */
const MAX_STATES = 100

/** What the log needs of a logger. */
export interface FaultLogger {
  warn(fields: object, text: string): void
  info(fields: object, text: string): void
}

/** Logs faults as states: a line when one begins, and one with the number of occurrences when it is over. */
export interface FaultLog {
  /** `work` is what could not be done. `quietMs`: after this time without the fault, it is over. */
  note(work: string, error: unknown, quietMs?: number): void
  /** Logs what has not ended yet. */
  close(): void
}

interface State {
  count: number
  lastAt: number
  readonly end: () => void
  readonly timer: NodeJS.Timeout
}

export function createFaultLog(logger: FaultLogger): FaultLog {
  const states = new Map<string, State>()

  function begin(work: string, error: unknown, quietMs: number): void {
    const about = describe(error)
    const beganAt = performance.now()
    logger.warn(about, work)
    if (states.size >= MAX_STATES) return
    const key = keyOf(work, about)
    const end = () => {
      states.delete(key)
      clearTimeout(state.timer)
      const seconds = Math.round((state.lastAt - beganAt) / 1_000)
      logger.info({ reason: about.reason, count: state.count, seconds }, `resolved: ${work}`)
    }
    const state: State = { count: 1, lastAt: beganAt, end, timer: setTimeout(end, quietMs).unref() }
    states.set(key, state)
  }

  return {
    note(work, error, quietMs = QUIET_MS) {
      const state = states.get(keyOf(work, describe(error)))
      if (state === undefined) return begin(work, error, quietMs)
      state.count++
      state.lastAt = performance.now()
      state.timer.refresh()
    },
    close() {
      for (const { end } of [...states.values()]) end()
    },
  }
}

interface Description {
  readonly reason: string
  readonly cause?: string
  /** With its stack: the error is a bug. */
  readonly err?: unknown
}

function keyOf(work: string, { reason }: Description): string {
  return `${work}\n${reason}`
}

/** Only bugs have a stack trace. */
function describe(error: unknown): Description {
  if (!(error instanceof Error)) return { reason: String(error) }
  if (!EXPECTED.some((kind) => error instanceof kind)) return { reason: error.message, err: error }
  const { message: reason, cause } = error
  if (cause === undefined) return { reason }
  return { reason, cause: cause instanceof Error ? cause.message : String(cause).split('\n', 1).join('') }
}

const EXPECTED = [StorageUnavailable, FileStoreUnavailable, FileStoreFull, BackupFailed, DomainError]
