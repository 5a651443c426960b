import { type CommitObserver, type Storage, StorageUnavailable } from '../storage.ts'
import { probe, readCatalogVersion } from './catalog.ts'
import { createCommitBatch } from './commit-batch.ts'
import { connect, type Database } from './connection.ts'
import { deliveryStorage } from './deliveries.ts'
import { eventStorage } from './events.ts'
import { createGroupCommit } from './group-commit.ts'
import { issueStorage } from './issues.ts'
import { keepIndexing } from './keep-indexing.ts'
import { keyStorage } from './keys.ts'
import { migrate } from './migrate.ts'
import { createNode } from './nodes.ts'
import { projectStorage } from './projects.ts'
import { signInStorage } from './sign-ins.ts'
import { statsStorage } from './stats.ts'
import { transferStorage } from './transfer.ts'
import { userStorage } from './users.ts'
import { viewStorage } from './views.ts'
import { createWakeUp } from './wake-up.ts'
import { webhookStorage } from './webhooks.ts'

/** Opens a database that any number of nodes may share. Connections are made when they are needed, and again when they are lost. */
export async function openPostgresStorage(url: string, onCommit?: CommitObserver): Promise<Storage> {
  const database = connect(url)
  try {
    const migration = await migrate(database)
    return assemble({ url, database, migration, onCommit })
  } catch (error) {
    await database.close()
    throw error
  }
}

interface Parts {
  readonly url: string
  readonly database: Database
  readonly migration: Storage['migration']
  readonly onCommit: CommitObserver | undefined
}

function assemble({ url, database, migration, onCommit }: Parts): Storage {
  const indexing = keepIndexing(database)
  const writes = createGroupCommit(createCommitBatch(database), (calls, seconds) => {
    indexing.keepUp(calls)
    onCommit?.(calls, seconds)
  })
  const wakeUp = createWakeUp(url, database)
  const node = createNode(database)
  const projects = projectStorage(database)
  let closing: Promise<void> | undefined
  async function closeAll(): Promise<void> {
    await writes.close()
    await wakeUp.close()
    await node.leave()
    await indexing.stop()
    await database.close()
  }
  return {
    projects,
    keys: keyStorage(database),
    issues: issueStorage({ database, writes, announce: wakeUp.announce }),
    events: eventStorage(database, wakeUp),
    webhooks: webhookStorage(database, wakeUp.announce),
    deliveries: deliveryStorage(database, wakeUp.announce),
    stats: statsStorage(database, writes),
    transfer: transferStorage(database, projects),
    users: userStorage(database),
    signIns: signInStorage(database),
    views: viewStorage(database),
    migration,
    catalogVersion: () => readCatalogVersion(database),
    async probe() {
      if (closing !== undefined) throw new StorageUnavailable('The storage is closed.')
      await probe(database)
    },
    countPendingWrites: writes.countPending,
    beat: node.beat,
    close() {
      closing ??= closeAll()
      return closing
    },
  }
}
