import { useClient } from '../api.ts'
import type { Storm } from '../client.ts'
import type { Note } from '../notes.ts'
import type { DropReason, ExceptionHint, ReportResult } from '../types.ts'
import { describeException } from './exceptions.ts'

const MINUTE_MS = 60_000
const KINDS_A_MINUTE = 10
/** What browsers announce though nothing went wrong, or without saying what went wrong in a script of another origin. */
const NOISE = ['ResizeObserver loop', 'Error: Script error.']

/** Reports an error as a crash; the same kind of error is counted on one issue. */
export function captureException(
  error: unknown,
  { isHandled = true, isFatal }: ExceptionHint = {},
): Promise<ReportResult> {
  return useClient(({ core: { ledger, options }, configs, capture, storm }) => {
    const { content, site, title } = describeException(error, isHandled, options.scrub)
    if (isIgnored(title, isHandled, options.ignoreErrors)) return ledger.drop('ignored')
    const crash = configs.current()?.crash
    const share = crash ? +crash.enabled * crash.sampleRate : 1
    const obstacle =
      configs.obstacle() ?? (Math.random() < share ? judgeStorm(storm, site, Date.now()) : 'sampled')
    return obstacle ? ledger.drop(obstacle) : capture(content, isFatal)
  })
}

/** Whether an error is not to be reported: an uncaught one is noise, or the app ignores it. */
export function isIgnored(
  title: string,
  isHandled: boolean,
  ignoreErrors: readonly (string | RegExp)[] = [],
): boolean {
  const patterns = isHandled ? ignoreErrors : [...NOISE, ...ignoreErrors]
  return patterns.some((pattern) =>
    // Unlike `test`, `search` does not remember where a global pattern matched last.
    typeof pattern === 'string' ? title.includes(pattern) : title.search(pattern) >= 0,
  )
}

/**
 * Holds back storms: a minute has room for ten kinds of failures, and for each of them once. Crashes of one fingerprint at
 * different sites are different kinds. The note outlives the page, so that one that fails while it loads, and loads
 * again, does not start anew each time.
 */
export function judgeStorm(note: Note<Storm>, site: string, now: number): DropReason | undefined {
  const { since = 0, seen = [] } = note.read() ?? {}
  const isOver = !(Math.abs(now - since) < MINUTE_MS)
  const kinds = isOver ? [] : seen
  if (kinds.includes(site)) return 'repeated'
  if (kinds.length >= KINDS_A_MINUTE) return 'rate-limited'
  note.write({ since: isOver ? now : since, seen: [...kinds, site] })
  return undefined
}
