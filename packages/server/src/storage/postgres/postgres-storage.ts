import { type Storage, StorageUnavailable } from '../storage.ts'
import { probe, readCatalogVersion } from './catalog.ts'
import { createCommitBatch } from './commit-batch.ts'
import { connect, type Database } from './connection.ts'
import { deliveryStorage } from './deliveries.ts'
import { eventStorage } from './events.ts'
import { createGroupCommit } from './group-commit.ts'
import { issueStorage } from './issues.ts'
import { keyStorage } from './keys.ts'
import { migrate } from './migrate.ts'
import { projectStorage } from './projects.ts'
import { statsStorage } from './stats.ts'
import { createWakeUp } from './wake-up.ts'
import { webhookStorage } from './webhooks.ts'

/** Opens a database that any number of nodes may share. Connections are made when they are needed, and again when they are lost. */
export async function openPostgresStorage(url: string): Promise<Storage> {
  const database = connect(url)
  try {
    const migration = await migrate(database)
    return assemble(url, database, migration)
  } catch (error) {
    await database.close()
    throw error
  }
}

function assemble(url: string, database: Database, migration: Storage['migration']): Storage {
  const writes = createGroupCommit(createCommitBatch(database))
  const wakeUp = createWakeUp(url, database)
  let closing: Promise<void> | undefined
  async function closeAll(): Promise<void> {
    await writes.close()
    await wakeUp.close()
    await database.close()
  }
  return {
    projects: projectStorage(database),
    keys: keyStorage(database),
    issues: issueStorage({ database, writes, announce: wakeUp.announce }),
    events: eventStorage(database, wakeUp),
    webhooks: webhookStorage(database, wakeUp.announce),
    deliveries: deliveryStorage(database, wakeUp.announce),
    stats: statsStorage(database, writes),
    migration,
    catalogVersion: () => readCatalogVersion(database),
    async probe() {
      if (closing !== undefined) throw new StorageUnavailable('The storage is closed.')
      await probe(database)
    },
    close() {
      closing ??= closeAll()
      return closing
    },
  }
}
