import { useClient } from './api.ts'
import { judgeStorm } from './crash-limit.ts'
import { describeException } from './exceptions.ts'
import type { ExceptionHint, ReportResult } from './types.ts'

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
