import type { DeviceReading, Platform, Store, Timer } from './platform.ts'

/** A database that hangs (Safari has such days) must not hold up a report. */
const STORE_TIMEOUT_MS = 2_000

/** The same function, but one that cannot throw: then it returns what the other one does. */
export function guard<A extends readonly unknown[], R>(
  action: (...args: A) => R,
  otherwise: (...args: A) => R,
): (...args: A) => R {
  return (...args) => {
    try {
      return action(...args)
    } catch {
      // The host's functions may be patched, revoked or missing. For each there is a plan: the other one.
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

/** A platform whose functions neither throw nor hang nor reject; except for `fetch`, of which that is expected. */
export function guardPlatform(platform: Platform): Platform {
  const nothing = () => () => {}
  const later = guard(platform.later, nothing)
  return {
    ...platform,
    later,
    wait: guard(platform.wait, nothing),
    readDevice: guard(platform.readDevice, (): DeviceReading => ({ known: {} })),
    watchLife: (listener) => guard(guard(platform.watchLife, nothing)(listener), () => {}),
    isOnline: guard(platform.isOnline, () => true),
    isDevelopment: guard(platform.isDevelopment, () => false),
    random: guard(platform.random, Math.random),
    openStore: () => guardStore(guard(platform.openStore, () => ({}) as Store)(), later),
    async runAlone(task) {
      try {
        return await platform.runAlone(task)
      } catch {
        // Without locks two tabs may send the same report: the server knows it by its id and stores it once.
        await task()
        return true
      }
    },
  }
}

/** What this store cannot keep, the queue still has in memory. */
function guardStore(store: Store, later: Timer): Store {
  const nothing = async () => undefined
  // The calls themselves are not put off: a journal is written when they return.
  function quietly<A extends readonly unknown[], R>(action: (...args: A) => Promise<R>) {
    return guard((...args: A) => within(action(...args), STORE_TIMEOUT_MS, later).catch(nothing), nothing)
  }
  const readAll = quietly(store.readAll)
  return {
    ...store,
    readNow: guard(store.readNow, () => undefined),
    put: quietly(store.put),
    putNow: guard(store.putNow, nothing),
    remove: quietly(store.remove),
    readAll: async () => (await readAll()) ?? new Map(),
  }
}
