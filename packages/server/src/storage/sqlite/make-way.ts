import { setPriority } from 'node:os'

/** As `nice` counts: a thread that competes with another for a processor then gets a tenth of it. */
export const NICENESS = 10

/** Where all processors are busy, lets other threads go before the one that calls. Elsewhere than on Linux, priorities are those of whole processes. */
export function makeWay(): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(NICENESS)
  } catch (error) {
    // It has to make way already, or is not allowed to: then it stays as it is.
    if (!isForbidden(error)) throw error
  }
}

function isForbidden(error: unknown): boolean {
  const { code } = (error as { readonly info?: { readonly code?: string } }).info ?? {}
  return code === 'EACCES' || code === 'EPERM'
}
