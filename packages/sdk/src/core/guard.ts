import type { DeviceReading, Platform, Store, Timer } from './platform.ts'
import type { Values } from './types.ts'

/** A database that hangs (as in Safari at times) must not delay a report. */
const STORE_TIMEOUT_MS = 2_000

/** Wraps a function so that it cannot throw: on an error it returns the result of the fallback, or nothing. */
export function guard<A extends readonly unknown[], R>(
  action: (...args: A) => R,
  ...otherwise: undefined extends R ? [((...args: A) => R)?] : [(...args: A) => R]
): (...args: A) => R
export function guard(
  action: (...args: readonly unknown[]) => unknown,
  otherwise: (...args: readonly unknown[]) => unknown = () => undefined,
) {
  return (...args: readonly unknown[]) => {
    try {
      return action(...args)
    } catch {
      // The app's functions may be patched, revoked or missing. Each has a fallback.
      return otherwise(...args)
    }
  }
}

/** What a promise resolves to, or nothing when that takes too long. */
export function within<T>(task: Promise<T>, milliseconds: number, later: Timer): Promise<T | undefined> {
  let cancel: (() => void) | undefined
  const timeout = new Promise<undefined>((resolve) => {
    cancel = later(resolve as () => void, milliseconds)
  })
  return Promise.race([task, timeout]).finally(cancel)
}

/** A platform whose functions do not throw, hang or reject, except for `fetch`, where that is expected. */
export function guardPlatform(platform: Platform): Required<Platform> {
  const nothing = () => () => {}
  const later = guard(platform._later, nothing)
  return {
    ...platform,
    _later: later,
    _wait: guard(platform._wait, nothing),
    _readDevice: guard(platform._readDevice, (): DeviceReading => ({})),
    // Not every platform has it: then the call fails, and there is no context.
    _readContext: guard(platform._readContext as () => Values | undefined),
    _watchLife: (listener) => guard(guard(platform._watchLife, nothing)(listener)),
    _isOnline: guard(platform._isOnline, () => true),
    _isDevelopment: guard(platform._isDevelopment),
    _random: guard(platform._random, Math.random),
    _openStore: () => guardStore(guard(platform._openStore, () => ({}) as Store)(), later),
    async _runAlone(task) {
      try {
        return await platform._runAlone(task)
      } catch {
        // Without locks two tabs may send the same report: the server recognises it by its id and stores it once.
        await task()
        return true
      }
    },
  }
}

/** What this store cannot keep is still in the queue's memory. */
export function guardStore(store: Store, later: Timer): Store {
  const nothing = async () => undefined
  // The calls themselves are not deferred: a journal is written when they return.
  function quietly<A extends readonly unknown[], R>(action: (...args: A) => Promise<R>) {
    return guard((...args: A) => within(action(...args), STORE_TIMEOUT_MS, later).catch(nothing), nothing)
  }
  const readAll = quietly(store._readAll)
  return {
    ...store,
    _readNow: guard(store._readNow),
    _put: quietly(store._put),
    _putNow: guard(store._putNow),
    _remove: quietly(store._remove),
    _readAll: async () => (await readAll()) ?? new Map(),
  }
}
