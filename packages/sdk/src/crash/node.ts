import { captureException } from '../core/crash/capture-exception.ts'

/**
 * Reports errors that end the process: they are stored before the process exits and sent at the next start. Returns a function that stops it.
 * The monitor only observes, so the exit code and the output do not change.
 */
export function captureCrashes(): () => void {
  const react = (error: unknown) => {
    void captureException(error, { isHandled: false, isFatal: true })
  }
  process.on('uncaughtExceptionMonitor', react)
  return () => process.off('uncaughtExceptionMonitor', react)
}
