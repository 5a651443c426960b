import { listen } from './browser/platform.ts'
import { captureException } from './core/crash/capture-exception.ts'

/** Reports errors and rejections that nobody caught. Returns what stops it. */
export function captureCrashes(): () => void {
  return listen(['error', 'unhandledrejection'], (event) => {
    const { error, reason, message, detail } = event as Partial<
      ErrorEvent & PromiseRejectionEvent & CustomEvent
    >
    // Some libraries announce rejections by events of their own, with the reason in the detail.
    void captureException(error ?? reason ?? detail?.reason ?? message, { isHandled: false })
  })
}
