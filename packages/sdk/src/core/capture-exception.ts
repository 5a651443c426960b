import { useClient } from './api.ts'
import { createCrashLimit } from './crash-limit.ts'
import { describeException } from './exceptions.ts'
import type { ExceptionHint, ReportResult } from './types.ts'

const judgeStorm = createCrashLimit()

/** Reports an error as a crash; the same kind of error is counted on one issue. */
export function captureException(
  error: unknown,
  { isHandled = true, isFatal }: ExceptionHint = {},
): Promise<ReportResult> {
  return useClient(({ core: { store, ledger }, configs, capture }) => {
    const draft = describeException(error, isHandled)
    const crash = configs.current()?.crash
    const share = crash ? +crash.enabled * crash.sampleRate : 1
    const obstacle =
      configs.obstacle() ??
      (Math.random() < share ? judgeStorm(store, draft.fingerprint, Date.now()) : 'sampled')
    return obstacle ? ledger.drop(obstacle) : capture(draft, isFatal)
  })
}
