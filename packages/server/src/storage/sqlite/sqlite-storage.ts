import type { DatabaseSync } from 'node:sqlite'
import { LIST_BOUNDS, type ListBounds } from '../../model/issue-lists.ts'
import { nounStorage } from '../nouns/nouns.ts'
import type { CommitObserver, Migration, MigrationObserver, Storage, StorageObserver } from '../storage.ts'
import { IN_MEMORY, openReader } from './driver/connection.ts'
import { sqliteOperations } from './driver/operations.ts'
import { issueStorage } from './issues/issues.ts'
import { transferStorage } from './maintenance/transfer.ts'
import { findServiceFault } from './migrations/migrate.ts'
import { migrateFile } from './migrations/migrate-file.ts'
import { type ReadPool, readInline, readInThreads } from './readers/read-pool.ts'
import { startWriter, type WriterThread } from './threads/start-writer.ts'
import { createAnnouncements, subscriptions } from './writer/announcements.ts'
import { createGroupCommit, type GroupCommit } from './writer/group-commit.ts'
import { hostInline, hostInThread } from './writer/writer-host.ts'

export interface SqliteOptions extends StorageObserver {
  /** A file, or `:memory:`. */
  readonly path: string
  readonly bounds?: ListBounds
  /** The writer's thread, if it has been started before. */
  readonly writer?: WriterThread | undefined
}

/** Opens a database for a server: writes and long reads run in separate threads. */
export async function openSqliteStorage({
  path,
  onCrash,
  onCommit,
  onIndexDamage,
  onMigrationStep,
  bounds = LIST_BOUNDS,
  writer,
}: SqliteOptions): Promise<Storage> {
  if (path === IN_MEMORY) return openSqliteInline(path, onCommit)
  let commits: GroupCommit | undefined
  const host = hostInThread(writer ?? (await startWriter(path, { onMigrationStep })), {
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

/** Migrates a database if necessary, and opens it for a command. */
export async function openMigratedSqlite(path: string, onStep?: MigrationObserver): Promise<Storage> {
  return openSqliteInline(path, undefined, path === IN_MEMORY ? undefined : await migrateFile(path, onStep))
}

/** Opens a database for a command: everything runs in this thread, without a startup delay. */
export function openSqliteInline(path: string, onCommit?: CommitObserver, migration?: Migration): Storage {
  const { host, writer } = hostInline(path)
  const reader = path === IN_MEMORY ? writer.db : openReader(path)
  return assemble({
    path,
    reader,
    reads: readInline(reader),
    writes: createGroupCommit(host, onCommit),
    migration: migration ?? host.migration,
    bounds: LIST_BOUNDS,
  })
}

interface Dependencies {
  readonly path: string
  readonly reader: DatabaseSync
  readonly reads: ReadPool
  readonly writes: GroupCommit
  readonly migration: Migration
  readonly bounds: ListBounds
}

function assemble({ path, reader, reads, writes, migration, bounds }: Dependencies): Storage {
  const announcements = createAnnouncements()
  const operations = sqliteOperations(reader, { reads, writes })
  const selectCatalog = reader.prepare('SELECT version FROM catalog')
  const { announce } = announcements
  const news = { announce, subscribe: subscriptions(reader, announcements) }
  const nouns = nounStorage(operations, news)
  const transfer = transferStorage({ path, reader, projects: nouns.projects })
  let closing: Promise<void> | undefined
  async function closeAll(): Promise<void> {
    await writes.drain()
    await reads.close()
    transfer[Symbol.dispose]()
    if (path !== IN_MEMORY) reader.close()
    // Last, because the last connection moves the log into the file, and the others are read-only.
    await writes.close()
  }
  const storage: Storage = {
    ...nouns,
    issues: issueStorage({ reader, operations, reads, announcements, bounds }),
    transfer,
    actingAs: (actor, clock) => ({
      ...storage,
      ...nounStorage(operations, news, () => ({ actor, at: clock() })),
    }),
    ownFiles: null,
    migration,
    catalogVersion: async () => (selectCatalog.get() as { version: number }).version,
    probe: () => writes.run('probe'),
    countPendingWrites: writes.countPending,
    beat: async () => ({ nodes: 1, fault: findServiceFault(reader) ?? null }),
    readClock: async () => null,
    close() {
      closing ??= closeAll()
      return closing
    },
  }
  return storage
}
