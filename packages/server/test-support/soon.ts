import { vi } from 'vitest'

interface Limits {
  readonly timeout?: number
  readonly interval?: number
}

/** Waits until a check passes, and returns its value. A timeout has the same cause as one of `expect.poll`, by which the runner recognises it. */
export async function soon<T>(
  check: () => T | Promise<T>,
  { timeout = 120_000, interval = 20 }: Limits = {},
): Promise<T> {
  try {
    return await vi.waitFor(check, { timeout, interval })
  } catch (error) {
    if (error instanceof Error)
      error.cause = new Error('Matcher did not succeed in time.', { cause: error.cause })
    throw error
  }
}
