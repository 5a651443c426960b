import { isSlug } from '@bugle/contract'
import { isId, type ProjectId } from '../../model/ids.ts'
import type { KeyRecord } from '../../model/keys.ts'
import type { LabelRecord } from '../../model/labels.ts'
import type { OwnedToken } from '../../model/people/access-tokens.ts'
import type { SessionRecord } from '../../model/people/users.ts'
import type { ProjectRecord, SdkSettings } from '../../model/projects.ts'
import type { BlockedSender } from '../../model/reports/senders.ts'
import type { Storage } from '../../storage/storage.ts'
import { hashToken, isWellFormedToken } from './keys.ts'

/** Cached entries of each kind. When a cache is full it is cleared, because lookups are cheap. */
const MAX_CACHED = 10_000

/** Projects, keys, labels, access tokens and sessions, cached between requests. Other processes change them too, so `refresh` is called twice a second. */
export interface Catalog {
  /** The key with this token, unless it is mistyped, unknown or revoked. One that is not cached is looked up immediately. */
  findKey(token: string): Promise<KeyRecord | undefined>
  /** The same without waiting, if it is cached. */
  knownKey(token: string): KeyRecord | undefined
  /** The personal access token with this text, and its owner. The caller checks whether it has expired. */
  findAccessToken(token: string): Promise<OwnedToken | undefined>
  /** The session with this token, unless it has ended. The caller checks whether it has expired. */
  findSession(token: string): Promise<SessionRecord | undefined>
  findProject(idOrSlug: string): Promise<ProjectRecord | undefined>
  findProjectByNumber(projectNumber: number): Promise<ProjectRecord | undefined>
  findSdkSettings(projectId: ProjectId): Promise<Partial<SdkSettings> | undefined>
  /** The labels of a project, in the order they were created. */
  findLabels(projectId: ProjectId): Promise<readonly LabelRecord[]>
  /** Whose reports are stored as spam. */
  findBlocked(projectId: ProjectId): Promise<Blocked>
  /** The current state of a key, for long-lived callers; undefined once it no longer works. */
  renewKey(key: KeyRecord): Promise<KeyRecord | undefined>
  /** Increases with each detected change to projects, keys and people. */
  readonly generation: number
  /** Clears the caches if anything has changed. */
  refresh(): Promise<void>
}

interface Blocked {
  /** Hashes of addresses, by the day of the key that they were hashed with. */
  readonly addresses: ReadonlyMap<string, ReadonlySet<string>>
  /** Hashes of the secrets of reporters. */
  readonly reporters: ReadonlySet<string>
}

const NONE_BLOCKED: Blocked = { addresses: new Map(), reporters: new Set() }

export function createCatalog(storage: Storage): Catalog {
  let version: number | undefined
  let generation = 0

  /** Caches what was found, never what was missing, and nothing that was read before a refresh. */
  function remember<K, V>(load: (key: K) => Promise<V | undefined>) {
    const found = new Map<K, V>()
    let foundIn = generation

    function known(key: K): V | undefined {
      if (foundIn !== generation) {
        found.clear()
        foundIn = generation
      }
      return found.get(key)
    }

    async function find(key: K): Promise<V | undefined> {
      const value = known(key)
      return value === undefined ? look(key) : value
    }

    async function look(key: K): Promise<V | undefined> {
      const askedIn = generation
      const value = await load(key)
      if (value === undefined || askedIn !== generation) return value
      if (found.size >= MAX_CACHED) found.clear()
      found.set(key, value)
      return value
    }

    return { known, find }
  }

  const keys = remember(async (token: string) => {
    if (!isWellFormedToken(token)) return undefined
    const key = await storage.keys.findByHash(hashToken(token))
    return key?.revokedAt === null ? key : undefined
  })

  const blocked = remember(async (projectId: ProjectId) => {
    const days = Map.groupBy(await storage.senders.listBlocked(projectId), ({ day }) => day)
    const reporters = new Set(await storage.senders.listBlockedReporters(projectId))
    if (days.size + reporters.size === 0) return NONE_BLOCKED
    const sendersOf = (some: readonly BlockedSender[]) => new Set(some.map(({ sender }) => sender))
    return { addresses: new Map(Array.from(days, ([day, some]) => [day, sendersOf(some)])), reporters }
  })
  const labels = remember((projectId: ProjectId) => storage.labels.list(projectId))

  return {
    findKey: keys.find,
    knownKey: keys.known,
    findAccessToken: remember(async (token: string) =>
      isWellFormedToken(token) ? storage.accessTokens.findByHash(hashToken(token)) : undefined,
    ).find,
    findSession: remember((token: string) => storage.signIns.findByHash(hashToken(token))).find,
    findProject: remember(async (idOrSlug: string) => {
      if (!isSlug(idOrSlug) && !isId('prj', idOrSlug)) return undefined
      return storage.projects.find(idOrSlug)
    }).find,
    findProjectByNumber: remember((number: number) => storage.projects.findByNumber(number)).find,
    findSdkSettings: remember((projectId: ProjectId) => storage.projects.findSdkSettings(projectId)).find,
    async findLabels(projectId) {
      return (await labels.find(projectId)) ?? []
    },
    async findBlocked(projectId) {
      return (await blocked.find(projectId)) ?? NONE_BLOCKED
    },
    async renewKey(key) {
      const current = await storage.keys.findByHash(key.hash)
      return current?.revokedAt === null ? current : undefined
    },
    get generation() {
      return generation
    },
    async refresh() {
      const current = await storage.catalogVersion()
      if (current === version) return
      version = current
      generation++
    },
  }
}
