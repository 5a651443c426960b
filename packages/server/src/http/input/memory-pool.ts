import { DomainError } from '../../domain/domain-error.ts'

const RETRY_AFTER_SECONDS = 5

/** Bytes that all requests in progress may hold in memory together. */
export interface MemoryPool {
  /** What one request holds, until it is disposed of. Its first `freeBytes` are not counted, so that they never depend on other requests. */
  open(freeBytes?: number): Holding
}

export interface Holding extends Disposable {
  /** Whether there was room for this many more bytes. */
  take(count: number): boolean
  /** Like {@link take}, but throws `unavailable` if there is no room. */
  require(count: number): void
  /** Of what was taken, this much is no longer held. */
  giveBack(count: number): void
}

export function createMemoryPool(poolBytes: number): MemoryPool {
  let room = poolBytes

  return {
    open(freeBytes = 0) {
      let free = freeBytes
      let taken = 0

      function take(count: number): boolean {
        const counted = Math.max(0, count - free)
        if (counted > room) return false
        free -= count - counted
        room -= counted
        taken += counted
        return true
      }

      function giveBack(count: number): void {
        const counted = Math.min(taken, count)
        room += counted
        taken -= counted
      }

      return {
        take,
        giveBack,
        require(count) {
          if (take(count)) return
          throw new DomainError('unavailable', {
            detail: 'Too many large requests are in progress. Try again shortly.',
            retryAfterSeconds: RETRY_AFTER_SECONDS,
          })
        },
        [Symbol.dispose]: () => giveBack(taken),
      }
    },
  }
}
