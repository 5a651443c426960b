import { captureException } from '../core/capture-exception.ts'

type Handler = (error: unknown, isFatal?: boolean) => void

/** React Native's own, as a global. */
interface ErrorUtils {
  getGlobalHandler(): Handler
  setGlobalHandler(handler: Handler): void
}

/** Reports errors that nobody caught, then hands them to whoever did it before. Returns what stops it. */
export function captureCrashes(): () => void {
  const { ErrorUtils: errors } = globalThis as { readonly ErrorUtils?: ErrorUtils }
  if (!errors) return () => {}
  const before = errors.getGlobalHandler()
  errors.setGlobalHandler((error, isFatal = false) => {
    void captureException(error, { isHandled: false, isFatal })
    before(error, isFatal)
  })
  return () => errors.setGlobalHandler(before)
}
