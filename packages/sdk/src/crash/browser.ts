import { listen } from '../browser/platform.ts'
import { captureException } from '../core/crash/capture-exception.ts'

/** Reports uncaught errors and unhandled rejections. Returns a function that stops it. */
export function captureCrashes(): () => void {
  return listen(['error', 'unhandledrejection'], (event) => {
    const { error, reason, message } = event as Partial<ErrorEvent & PromiseRejectionEvent>
    void captureException(error ?? reason ?? message, { isHandled: false })
  })
}
