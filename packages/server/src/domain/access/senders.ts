import { createHmac, randomBytes } from 'node:crypto'
import { dayOf } from '../../model/decisions/count-issue.ts'
import type { ProjectId } from '../../model/ids.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Catalog } from '../projects/catalog.ts'

const KEY_BYTES = 32
const HASH_CHARS = 22
/** More days than are kept. */
const MAX_KNOWN_KEYS = 100

/** Who sends reports, without keeping addresses: they are hashed with a key that is new each day and is deleted after a while. */
export interface Senders {
  identify(projectId: ProjectId, address: string, at: number): Promise<Sender>
}

export interface Sender {
  /** A hash; `null` if it is not kept. */
  readonly sender: string | null
  readonly isBlocked: boolean
}

export function createSenders({ storage, catalog }: SenderDependencies): Senders {
  const keys = new Map<string, Uint8Array>()

  async function keyOf(day: string, find: (day: string) => Promise<Uint8Array | undefined>) {
    const key = keys.get(day) ?? (await find(day))
    if (keys.size >= MAX_KNOWN_KEYS) keys.clear()
    if (key !== undefined) keys.set(day, key)
    return key
  }

  async function isBlocked(projectId: ProjectId, address: string): Promise<boolean> {
    const blocked = await catalog.findBlockedSenders(projectId)
    for (const [day, some] of Map.groupBy(blocked, (one) => one.day)) {
      const key = await keyOf(day, storage.senders.findKey)
      if (key === undefined) continue
      const own = hashOf(key, projectId, address)
      if (some.some(({ sender }) => sender === own)) return true
    }
    return false
  }

  return {
    async identify(projectId, address, at) {
      const create = (day: string) => storage.senders.requireKey(day, randomBytes(KEY_BYTES))
      const key = (await keyOf(dayOf(at), create)) as Uint8Array
      return {
        sender: hashOf(key, projectId, address),
        isBlocked: await isBlocked(projectId, address),
      }
    },
  }
}

interface SenderDependencies {
  readonly storage: Pick<Storage, 'senders'>
  readonly catalog: Pick<Catalog, 'findBlockedSenders'>
}

function hashOf(key: Uint8Array, projectId: ProjectId, address: string): string {
  return createHmac('sha256', key).update(`${projectId} ${address}`).digest('base64url').slice(0, HASH_CHARS)
}
