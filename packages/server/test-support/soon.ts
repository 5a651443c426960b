import { vi } from 'vitest'

interface Limits {
  readonly timeout?: number
  readonly interval?: number
}

/** Waits until a check passes, and returns its value. It fails like `expect.poll`: the runner knows that a wait ran out. */
export async function soon<T>(
  check: () => T | Promise<T>,
  { timeout = 120_000, interval = 20 }: Limits = {},
): Promise<T> {
  try {
    return await vi.waitFor(check, { timeout, interval })
  } catch (error) {
    if (error instanceof Error) error.cause ??= new Error('Matcher did not succeed in time.')
    throw error
  }
}
