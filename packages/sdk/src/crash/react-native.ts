import { captureException } from '../core/crash/capture-exception.ts'
import { guard } from '../core/guard.ts'

type Handler = (error: unknown, isFatal?: boolean) => void

/** React Native's global error handler. */
interface ErrorUtils {
  getGlobalHandler(): Handler
  setGlobalHandler(handler: Handler): void
}

/** Reports uncaught errors, then passes them to the previous handler. Returns a function that stops it. */
export const captureCrashes: () => () => void = guard(watchErrors, () => () => {})

function watchErrors(): () => void {
  const { ErrorUtils: errors } = globalThis as unknown as { readonly ErrorUtils: ErrorUtils }
  const before = errors.getGlobalHandler()
  errors.setGlobalHandler((error, isFatal = false) => {
    void captureException(error, { isHandled: false, isFatal })
    before(error, isFatal)
  })
  return () => errors.setGlobalHandler(before)
}
