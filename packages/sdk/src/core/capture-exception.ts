import { drop, useClient } from './api.ts'
import { createCrashLimit } from './crash-limit.ts'
import { describeException } from './exceptions.ts'
import type { ExceptionHint, ReportResult } from './types.ts'

const judgeStorm = /* @__PURE__ */ createCrashLimit()

/** Reports an error as a crash; the same kind of error is counted on one issue. */
export function captureException(
  error: unknown,
  { isHandled = true, isFatal }: ExceptionHint = {},
): Promise<ReportResult> {
  return useClient((client) => {
    const draft = describeException(error, isHandled)
    const crash = client.getConfig()?.crash
    const share = crash ? +crash.enabled * crash.sampleRate : 1
    const obstacle =
      client.obstacle() ?? (Math.random() < share ? judgeStorm(draft.fingerprint, Date.now()) : 'sampled')
    return obstacle ? drop(obstacle) : client.capture(draft, isFatal)
  })
}
