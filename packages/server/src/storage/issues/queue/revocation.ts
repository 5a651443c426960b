import type { Revocation } from '../../ports/issues.ts'

/** A call that waits for its turn; `reject` fails its promise. */
interface Waiting {
  readonly revocation: Revocation | undefined
  reject(error: Error): void
}

/** Rejects a call as soon as it is given up. `remove` takes it out of its queue, and returns false if it is no longer there. */
export function rejectWhenRevoked({ revocation, reject }: Waiting, remove: () => boolean): void {
  revocation?.signal.addEventListener(
    'abort',
    () => {
      if (remove()) reject(revocation.signal.reason as Error)
    },
    { once: true },
  )
}
