import { useClient } from './api.ts'
import { createCrashLimit } from './crash-limit.ts'
import { describeException } from './exceptions.ts'
import { isIgnored } from './ignored-errors.ts'
import type { ExceptionHint, ReportResult } from './types.ts'

const judgeStorm = createCrashLimit()

/** Reports an error as a crash; the same kind of error is counted on one issue. */
export function captureException(
  error: unknown,
  { isHandled = true, isFatal }: ExceptionHint = {},
): Promise<ReportResult> {
  return useClient(({ core: { store, ledger, options }, configs, capture }) => {
    const { content, site, title } = describeException(error, isHandled, options.scrub)
    if (isIgnored(title, isHandled, options.ignoreErrors)) return ledger.drop('ignored')
    const crash = configs.current()?.crash
    const share = crash ? +crash.enabled * crash.sampleRate : 1
    const obstacle =
      configs.obstacle() ?? (Math.random() < share ? judgeStorm(store, site, Date.now()) : 'sampled')
    return obstacle ? ledger.drop(obstacle) : capture(content, isFatal)
  })
}
