import type { DatabaseSync } from 'node:sqlite'
import type { ProjectId } from '../../../model/ids.ts'
import type { EventStorage } from '../../ports/issues.ts'

/** How soon the writes of other processes are noticed. */
const FOREIGN_WRITES_CHECK_MS = 250

/** Notifies listeners in this process of its own writes immediately. */
export interface Announcements {
  announce(projectId: ProjectId): void
  subscribe(listener: (projectId: ProjectId) => void): () => void
}

export function createAnnouncements(): Announcements {
  const listeners = new Set<(projectId: ProjectId) => void>()
  return {
    announce(projectId) {
      for (const listener of listeners) listener(projectId)
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** Calls listeners for this process's own writes at once, and soon for those of others. */
export function subscriptions(reader: DatabaseSync, own: Announcements): EventStorage['subscribe'] {
  const selectDataVersion = reader.prepare('PRAGMA data_version')
  return (listener) => {
    let version: unknown
    const check = setInterval(() => {
      // It was closed in the meantime, so there is nothing to announce.
      if (!reader.isOpen) return clearInterval(check)
      const current = (selectDataVersion.get() as { data_version: number }).data_version
      if (version !== undefined && current !== version) listener(null)
      version = current
    }, FOREIGN_WRITES_CHECK_MS)
    check.unref()
    const stopOwn = own.subscribe(listener)
    return () => {
      clearInterval(check)
      stopOwn()
    }
  }
}
