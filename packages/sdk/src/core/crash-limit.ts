import type { DropReason } from './drops.ts'
import type { Store } from './platform.ts'
import { parseJson } from './requests.ts'

const STORM_ID = 'storm'
const MINUTE_MS = 60_000
const KINDS_A_MINUTE = 10

/** What failed within a minute. */
interface Storm {
  readonly since?: number
  readonly seen?: readonly string[]
}

/**
 * Holds back storms: a minute has room for ten kinds of failures, and for each of them once. Crashes of one fingerprint at
 * different sites are different kinds. The store remembers it, so
 * that a page which fails while it loads, and loads again, does not start anew each time.
 */
export function createCrashLimit(): (store: Store, site: string, now: number) => DropReason | undefined {
  let storm: Storm = {}
  return (store, site, now) => {
    const { since = 0, seen = [] } = (parseJson(store.readNow(STORM_ID)) ?? storm) as Storm
    const isOver = !(Math.abs(now - since) < MINUTE_MS)
    const kinds = isOver ? [] : seen
    if (kinds.includes(site)) return 'repeated'
    if (kinds.length >= KINDS_A_MINUTE) return 'rate-limited'
    storm = { since: isOver ? now : since, seen: [...kinds, site] }
    store.putNow(STORM_ID, JSON.stringify(storm))
    return undefined
  }
}
