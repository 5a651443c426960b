import { hash, randomBytes } from 'node:crypto'
import { SPAM_DAYS } from '@bugle/contract'
import { dayOf } from '../../model/decisions/count-issue.ts'
import type { ProjectId } from '../../model/ids.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Catalog } from '../projects/catalog.ts'

const KEY_BYTES = 32
const HASH_CHARS = 22
/** As many days as have keys. */
const MAX_KNOWN_KEYS = SPAM_DAYS + 2

/** Who sends reports, without keeping addresses: they are hashed with a key that is new each day and is deleted after a while. */
export interface Senders {
  identify(projectId: ProjectId, traits: SenderTraits, at: number): Promise<Sender>
}

/** What is known of the sender of a report. */
interface SenderTraits {
  /** The client's address; `null` if it says nothing about the sender. */
  readonly address: string | null
  /** The hash of the reporter's secret. */
  readonly reporterKeyHash: string | null
}

export interface Sender {
  /** A hash of the address; `null` if it is not kept, as in demo data. */
  readonly sender: string | null
  /** Whether the address or the reporter is blocked: the report is spam. */
  readonly isBlocked: boolean
}

export function createSenders({ storage, catalog }: SenderDependencies): Senders {
  const keys = new Map<string, Promise<string | undefined>>()

  /** The key of a day as text, read once for all reports that need it at the same time. */
  function keyOf(day: string, find: (day: string) => Promise<Uint8Array | undefined>) {
    const known = keys.get(day)
    if (known !== undefined) return known
    if (keys.size >= MAX_KNOWN_KEYS) keys.clear()
    const key = find(day).then((bytes) => bytes && Buffer.from(bytes).toString('base64url'))
    const forget = () => keys.delete(day)
    keys.set(day, key)
    key.then((found) => found ?? forget(), forget)
    return key
  }

  const createKey = (day: string) => storage.senders.requireKey(day, randomBytes(KEY_BYTES))

  async function isBlockedAddress(
    blocked: ReadonlyMap<string, ReadonlySet<string>>,
    projectId: ProjectId,
    address: string,
  ): Promise<boolean> {
    for (const [day, senders] of blocked) {
      const key = await keyOf(day, storage.senders.findKey)
      if (key !== undefined && senders.has(hashOf(key, projectId, address))) return true
    }
    return false
  }

  return {
    async identify(projectId, { address, reporterKeyHash }, at) {
      const { addresses, reporters } = await catalog.findBlocked(projectId)
      const isBlocked = reporterKeyHash !== null && reporters.has(reporterKeyHash)
      if (address === null) return { sender: null, isBlocked }
      const key = await keyOf(dayOf(at), createKey)
      if (key === undefined) throw new Error(`the key of ${dayOf(at)} is missing`)
      return {
        sender: hashOf(key, projectId, address),
        isBlocked: isBlocked || (await isBlockedAddress(addresses, projectId, address)),
      }
    },
  }
}

interface SenderDependencies {
  readonly storage: Pick<Storage, 'senders'>
  readonly catalog: Pick<Catalog, 'findBlocked'>
}

/** Not an HMAC, which takes three times as long. SHA-256 can be extended only from its full digest, and this one is truncated. */
function hashOf(key: string, projectId: ProjectId, address: string): string {
  return hash('sha256', `${key} ${projectId} ${address}`, 'base64url').slice(0, HASH_CHARS)
}
