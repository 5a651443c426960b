import { isSlug } from '@bugle/contract'
import { isId, type ProjectId } from '../../model/ids.ts'
import type { KeyRecord } from '../../model/keys.ts'
import type { ProjectRecord, SdkSettings } from '../../model/projects.ts'
import type { SessionRecord } from '../../model/users.ts'
import type { Storage } from '../../storage/storage.ts'
import { hashToken, isWellFormedToken } from './keys.ts'

/** Entries kept of each kind. When one kind is full it starts over: looking up again is cheap. */
const MAX_CACHED = 10_000

/** Projects, keys and sign-ins, remembered between requests. Others change them too, so `refresh` is called twice a second. */
export interface Catalog {
  /** The key behind a token, unless it is mistyped, unknown or revoked. One never seen is looked up at once. */
  findKey(token: string): Promise<KeyRecord | undefined>
  /** The same at once, if it was looked up before. */
  knownKey(token: string): KeyRecord | undefined
  /** The sign-in behind a token, unless it has ended. Whether it is over by its age is the caller's to say. */
  findSession(token: string): Promise<SessionRecord | undefined>
  findProject(idOrSlug: string): Promise<ProjectRecord | undefined>
  findProjectByNumber(ordinal: number): Promise<ProjectRecord | undefined>
  findSdkSettings(projectId: ProjectId): Promise<Partial<SdkSettings> | undefined>
  /** The key as it is now, for whoever has held it for long; undefined once it no longer works. */
  renewKey(key: KeyRecord): Promise<KeyRecord | undefined>
  /** Counts the changes to projects, keys and people that were noticed. */
  readonly generation: number
  /** Forgets everything if anything was changed. */
  refresh(): Promise<void>
}

export function createCatalog(storage: Storage): Catalog {
  let version: number | undefined
  let generation = 0

  /** Remembers what was found, never what was not; and nothing that was read before a refresh. */
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

  return {
    findKey: keys.find,
    knownKey: keys.known,
    findSession: remember((token: string) => storage.signIns.findByHash(hashToken(token))).find,
    findProject: remember(async (idOrSlug: string) => {
      if (!isSlug(idOrSlug) && !isId('prj', idOrSlug)) return undefined
      return storage.projects.find(idOrSlug)
    }).find,
    findProjectByNumber: remember((ordinal: number) => storage.projects.findByNumber(ordinal)).find,
    findSdkSettings: remember((projectId: ProjectId) => storage.projects.findSdkSettings(projectId)).find,
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
