import type { Clock } from '../../clock.ts'
import type { SdkBuild } from '../../model/sdk-builds.ts'
import type { Storage } from '../../storage/storage.ts'

/** The ids of all builds are read at most this often, so that unknown ones cost no queries. */
const LIST_INTERVAL_MS = 1_000
/** Builds that stay in memory once they were requested. */
const CACHED_BUILDS = 4

/** The builds of the SDK that this and earlier releases have served on this database. */
export interface SdkBuilds {
  /** Stores the build of this release, unless it is stored already; only then it is read. */
  keep(id: string, read: () => Promise<SdkBuild | undefined>): Promise<void>
  find(id: string): Promise<SdkBuild | undefined>
}

interface Dependencies {
  readonly storage: Storage
  readonly clock: Clock
}

export function createSdkBuilds({ storage: { sdkBuilds }, clock }: Dependencies): SdkBuilds {
  const cached = new Map<string, Promise<SdkBuild | undefined>>()
  let known: Promise<ReadonlySet<string>> | undefined
  let listedAt = 0

  /** Another node may have stored a build since the last time. */
  function list(): Promise<ReadonlySet<string>> {
    const now = clock()
    if (known !== undefined && Math.abs(now - listedAt) < LIST_INTERVAL_MS) return known
    listedAt = now
    const listing = sdkBuilds.list().then((ids) => new Set(ids))
    known = listing
    listing.catch(() => {
      if (known === listing) known = undefined
    })
    return listing
  }

  function read(id: string): Promise<SdkBuild | undefined> {
    const found = cached.get(id) ?? sdkBuilds.find(id)
    cached.delete(id)
    cached.set(id, found)
    found.catch(() => cached.delete(id))
    for (const oldest of [...cached.keys()].slice(0, -CACHED_BUILDS)) cached.delete(oldest)
    return found
  }

  return {
    async keep(id, readBuild) {
      if ((await sdkBuilds.list()).includes(id)) return
      const build = await readBuild()
      if (build !== undefined) await sdkBuilds.keep(build, clock())
    },
    async find(id) {
      return cached.has(id) || (await list()).has(id) ? read(id) : undefined
    },
  }
}
