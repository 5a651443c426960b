import type { Timer } from './platform.ts'

/** What a promise resolves to, or nothing when that takes too long. */
export function within<T>(task: Promise<T>, milliseconds: number, later: Timer): Promise<T | undefined> {
  let cancel: (() => void) | undefined
  const timeout = new Promise<undefined>((resolve) => {
    cancel = later(resolve as () => void, milliseconds)
  })
  return Promise.race([task, timeout]).finally(cancel)
}
