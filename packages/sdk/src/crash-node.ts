import { captureException } from './core/crash/capture-exception.ts'

/**
 * Reports what ends the process: it is written before the process ends and sent at its next start. Returns what stops it.
 * The monitor only looks on, so the exit code and what is printed stay as they are.
 */
export function captureCrashes(): () => void {
  const react = (error: unknown) => {
    void captureException(error, { isHandled: false, isFatal: true })
  }
  process.on('uncaughtExceptionMonitor', react)
  return () => process.off('uncaughtExceptionMonitor', react)
}
