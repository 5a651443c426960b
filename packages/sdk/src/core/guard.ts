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
  const later = guard(platform.later, nothing)
  return {
    ...platform,
    later,
    wait: guard(platform.wait, nothing),
    readDevice: guard(platform.readDevice, (): DeviceReading => ({})),
    // Not every platform has it: then the call fails, and there is no context.
    readContext: guard(platform.readContext as () => Values | undefined),
    watchLife: (listener) => guard(guard(platform.watchLife, nothing)(listener)),
    isOnline: guard(platform.isOnline, () => true),
    isDevelopment: guard(platform.isDevelopment),
    random: guard(platform.random, Math.random),
    openStore: () => guardStore(guard(platform.openStore, () => ({}) as Store)(), later),
    async runAlone(task) {
      try {
        return await platform.runAlone(task)
      } catch {
        // Without locks two tabs may send the same report: the server recognises it by its id and stores it once.
        await task()
        return true
      }
    },
  }
}

/** What this store cannot keep is still in the queue's memory. */
function guardStore(store: Store, later: Timer): Store {
  const nothing = async () => undefined
  // The calls themselves are not deferred: a journal is written when they return.
  function quietly<A extends readonly unknown[], R>(action: (...args: A) => Promise<R>) {
    return guard((...args: A) => within(action(...args), STORE_TIMEOUT_MS, later).catch(nothing), nothing)
  }
  const readAll = quietly(store.readAll)
  return {
    ...store,
    readNow: guard(store.readNow),
    put: quietly(store.put),
    putNow: guard(store.putNow),
    remove: quietly(store.remove),
    readAll: async () => (await readAll()) ?? new Map(),
  }
}
