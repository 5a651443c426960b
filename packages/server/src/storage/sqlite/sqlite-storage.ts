import type { DatabaseSync } from 'node:sqlite'
import { LIST_BOUNDS, type ListBounds } from '../../model/issue-lists.ts'
import { deliveryStorage } from '../nouns/deliveries.ts'
import { eventStorage } from '../nouns/events.ts'
import { keyStorage } from '../nouns/keys.ts'
import { linkStorage } from '../nouns/links.ts'
import { projectStorage } from '../nouns/projects.ts'
import { signInStorage } from '../nouns/sign-ins.ts'
import { statsStorage } from '../nouns/stats.ts'
import { userStorage } from '../nouns/users.ts'
import { viewStorage } from '../nouns/views.ts'
import { webhookStorage } from '../nouns/webhooks.ts'
import type { CommitObserver, Storage, StorageObserver } from '../storage.ts'
import { IN_MEMORY, openReader } from './driver/connection.ts'
import { sqliteOperations } from './driver/operations.ts'
import { issueStorage } from './issues/issues.ts'
import { transferStorage } from './maintenance/transfer.ts'
import type { Migration } from './migrations/migrate.ts'
import { type ReadPool, readInline, readInThreads } from './readers/read-pool.ts'
import { createAnnouncements, subscriptions } from './writer/announcements.ts'
import { createGroupCommit, type GroupCommit } from './writer/group-commit.ts'
import { hostInline, hostInThread } from './writer/writer-host.ts'

export interface SqliteOptions extends StorageObserver {
  /** A file, or `:memory:`. */
  readonly path: string
  readonly bounds?: ListBounds
}

/** Opens a database for a server: writes and long reads run in threads of their own. */
export async function openSqliteStorage({
  path,
  onCrash,
  onCommit,
  onIndexDamage,
  bounds = LIST_BOUNDS,
}: SqliteOptions): Promise<Storage> {
  if (path === IN_MEMORY) return openSqliteInline(path, onCommit)
  let commits: GroupCommit | undefined
  const host = await hostInThread(path, {
    onCrash(error) {
      commits?.abort(error)
      onCrash(error)
    },
    onIndexDamage,
  })
  commits = createGroupCommit(host, onCommit)
  return assemble({
    path,
    reader: openReader(path),
    reads: readInThreads(path, onCrash, bounds),
    writes: commits,
    migration: host.migration,
    bounds,
  })
}

/** Opens a database for a command: everything in this thread, ready at once. */
export function openSqliteInline(path: string, onCommit?: CommitObserver): Storage {
  const { host, writer } = hostInline(path)
  const reader = path === IN_MEMORY ? writer.db : openReader(path)
  return assemble({
    path,
    reader,
    reads: readInline(reader),
    writes: createGroupCommit(host, onCommit),
    migration: host.migration,
    bounds: LIST_BOUNDS,
  })
}

interface Parts {
  readonly path: string
  readonly reader: DatabaseSync
  readonly reads: ReadPool
  readonly writes: GroupCommit
  readonly migration: Migration
  readonly bounds: ListBounds
}

function assemble({ path, reader, reads, writes, migration, bounds }: Parts): Storage {
  const announcements = createAnnouncements()
  const operations = sqliteOperations(reader, { reads, writes })
  const selectCatalog = reader.prepare('SELECT version FROM catalog')
  const projects = projectStorage(operations)
  const transfer = transferStorage({ path, reader, projects })
  let closing: Promise<void> | undefined
  async function closeAll(): Promise<void> {
    await writes.drain()
    await reads.close()
    transfer[Symbol.dispose]()
    if (path !== IN_MEMORY) reader.close()
    // Last, because whoever closes last has to move the log into the file, and the others may only read.
    await writes.close()
  }
  return {
    projects,
    keys: keyStorage(operations),
    issues: issueStorage({ reader, operations, reads, announcements, bounds }),
    events: eventStorage(operations, subscriptions(reader, announcements)),
    webhooks: webhookStorage(operations, announcements.announce),
    deliveries: deliveryStorage(operations, announcements.announce),
    stats: statsStorage(operations),
    transfer,
    users: { ...userStorage(operations), ...linkStorage(operations) },
    signIns: signInStorage(operations),
    views: viewStorage(operations),
    migration,
    catalogVersion: async () => (selectCatalog.get() as { version: number }).version,
    probe: () => writes.run('probe'),
    countPendingWrites: writes.countPending,
    beat: async () => 1,
    close() {
      closing ??= closeAll()
      return closing
    },
  }
}
