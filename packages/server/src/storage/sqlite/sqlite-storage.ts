import type { DatabaseSync } from 'node:sqlite'
import type { Storage } from '../storage.ts'
import { IN_MEMORY, openReader } from './connection.ts'
import { deliveryStorage } from './deliveries.ts'
import { createAnnouncements, eventStorage } from './events.ts'
import { createGroupCommit, type GroupCommit } from './group-commit.ts'
import { issueStorage } from './issues.ts'
import { keyStorage } from './keys.ts'
import type { Migration } from './migrate.ts'
import { projectStorage } from './projects.ts'
import { type ReaderHost, readInline, readInThread } from './reader-host.ts'
import { statsStorage } from './stats.ts'
import { webhookStorage } from './webhooks.ts'
import { hostInline, hostInThread } from './writer-host.ts'

export interface SqliteOptions {
  /** A file, or `:memory:`. */
  readonly path: string
  /** Called when the writer's thread dies of a fault of its own. */
  readonly onCrash: (error: Error) => void
}

/** Opens a database for a server: writes and long reads run in threads of their own. */
export async function openSqliteStorage({ path, onCrash }: SqliteOptions): Promise<Storage> {
  if (path === IN_MEMORY) return openSqliteInline(path)
  let commits: GroupCommit | undefined
  const host = await hostInThread(path, (error) => {
    commits?.abort(error)
    onCrash(error)
  })
  commits = createGroupCommit(host)
  return assemble({
    reader: openReader(path),
    reads: readInThread(path, onCrash),
    writes: commits,
    migration: host.migration,
  })
}

/** Opens a database for a command: everything in this thread, ready at once. */
export function openSqliteInline(path: string): Storage {
  const { host, writer } = hostInline(path)
  const reader = path === IN_MEMORY ? writer.db : openReader(path)
  return assemble({
    reader,
    reads: readInline(reader),
    writes: createGroupCommit(host),
    migration: host.migration,
  })
}

interface Parts {
  readonly reader: DatabaseSync
  readonly reads: ReaderHost
  readonly writes: GroupCommit
  readonly migration: Migration
}

function assemble({ reader, reads, writes, migration }: Parts): Storage {
  const announcements = createAnnouncements()
  const selectCatalog = reader.prepare('SELECT version FROM catalog')
  let closing: Promise<void> | undefined
  async function closeAll(): Promise<void> {
    await writes.close()
    await reads.close()
    if (reader.isOpen) reader.close()
  }
  return {
    projects: projectStorage(reader, writes),
    keys: keyStorage(reader, writes),
    issues: issueStorage({ reader, reads, writes, announcements }),
    events: eventStorage(reader, writes, announcements),
    webhooks: webhookStorage(reader, writes, announcements),
    deliveries: deliveryStorage(reader, writes, announcements),
    stats: statsStorage(reads, writes),
    migration,
    catalogVersion: async () => (selectCatalog.get() as { version: number }).version,
    probe: () => writes.run('probe'),
    close() {
      closing ??= closeAll()
      return closing
    },
  }
}
