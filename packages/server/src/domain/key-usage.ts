import type { Clock } from '../clock.ts'
import type { KeyId } from '../ids.ts'
import type { Storage } from '../storage/storage.ts'

/** Remembers when keys were used, and writes it down now and then: a request does not wait for it. */
export interface KeyUsage {
  note(id: KeyId): void
  flush(): Promise<void>
}

export function createKeyUsage(storage: Storage, clock: Clock): KeyUsage {
  let used = new Map<KeyId, number>()
  return {
    note(id) {
      used.set(id, clock())
    },
    async flush() {
      if (used.size === 0) return
      const uses = [...used].map(([id, at]) => ({ id, at }))
      used = new Map()
      await storage.keys.recordUses(uses)
    },
  }
}
