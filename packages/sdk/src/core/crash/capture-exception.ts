import { useClient } from '../api.ts'
import type { Storm } from '../client.ts'
import type { Note } from '../notes.ts'
import type { DropReason, ExceptionHint, ReportResult } from '../types.ts'
import { describeException } from './exceptions.ts'

const MINUTE_MS = 60_000
const KINDS_A_MINUTE = 10
/** Identifies a kind of crash: the beginning of the type, the message and the stack. */
const KIND_CHARS = 600
/** Browser errors that are harmless, or that hide the error of a script from another origin. */
const NOISE = /ResizeObserver loop|Error: Script error\./

/** Reports an error as a crash; the same kind of error is counted on one issue. */
export function captureException(
  error: unknown,
  { isHandled = true, isFatal, metadata, ...rest }: ExceptionHint = {},
): Promise<ReportResult> {
  return useClient(
    ({
      _core: { _ledger: ledger, _options: options },
      _configs: configs,
      _capture: capture,
      _storm: storm,
    }) => {
      const content = {
        ...rest,
        ...describeException(error, options.scrub),
        metadata: { ...metadata, handled: isHandled },
      }
      if (isIgnored(content.title, isHandled, options.ignoreErrors)) return ledger._drop('ignored')
      const crash = configs._current().body?.crash
      const share = crash ? +crash.enabled * crash.sampleRate : 1
      const obstacle =
        configs._blockedBy() ??
        (Math.random() < share
          ? judgeStorm(storm, JSON.stringify(content.exception).slice(0, KIND_CHARS), Date.now())
          : 'sampled')
      return obstacle ? ledger._drop(obstacle) : capture(content, isFatal)
    },
  )
}

/** Whether an error is ignored: uncaught noise, or ignored by the app. */
export function isIgnored(
  title: string,
  isHandled: boolean,
  ignoreErrors: readonly (string | RegExp)[] = [],
): boolean {
  const patterns = isHandled ? ignoreErrors : [NOISE, ...ignoreErrors]
  // Unlike `test`, `split` accepts strings too, and ignores the `lastIndex` of a global pattern.
  return patterns.some((pattern) => title.split(pattern).length > 1)
}

/**
 * Limits crash storms: at most ten kinds per minute, each once. The note survives the page, so that a page that fails while it loads and reloads
 * does not reset the limit.
 */
export function judgeStorm(note: Note<Storm>, kind: string, now: number): DropReason | undefined {
  const last = note._read()
  const isRecent = Math.abs(now - (last?.since ?? 0)) < MINUTE_MS
  const { since = now, seen = [] } = isRecent ? (Object(last) as Storm) : {}
  if (seen.includes(kind)) return 'repeated'
  if (seen.length >= KINDS_A_MINUTE) return 'rate-limited'
  note._write({ since, seen: [...seen, kind] })
  return undefined
}
