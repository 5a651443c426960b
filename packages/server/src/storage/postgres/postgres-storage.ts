import { LIST_BOUNDS, type ListBounds } from '../../model/issue-lists.ts'
import { missingDatabase } from '../maintenance/schema-versions.ts'
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
import { type CommitObserver, type Storage, StorageUnavailable } from '../storage.ts'
import { createCommitBatch } from './commit/commit-batch.ts'
import { createGroupCommit } from './commit/group-commit.ts'
import { connect, type Database } from './driver/connection.ts'
import { type Connector, createConnector } from './driver/connector.ts'
import { readOnlyFault } from './driver/faults.ts'
import { postgresOperations } from './driver/operations.ts'
import { requireOwnSessions } from './driver/require-own-sessions.ts'
import { issueStorage } from './issues/issues.ts'
import { keepIndexing } from './issues/keep-indexing.ts'
import { transferStorage } from './maintenance/transfer.ts'
import { migrate, schemaVersion } from './migrations/migrate.ts'
import { readCatalogVersion } from './nodes/catalog.ts'
import { createNode } from './nodes/nodes.ts'
import { createWakeUp } from './nodes/wake-up.ts'

/** Opens a database that any number of nodes may share. Connections are made when they are needed, and again when they are lost. */
export async function openPostgresStorage(
  url: string,
  onCommit?: CommitObserver,
  bounds: ListBounds = LIST_BOUNDS,
): Promise<Storage> {
  return open(url, { mustBeWritable: true, onCommit, bounds })
}

/** Opens it for a command: those that only read work on a replica too. */
export async function openPostgresForCommand(url: string): Promise<Storage> {
  return open(url, { mustBeWritable: false, onCommit: undefined, bounds: LIST_BOUNDS })
}

/** The same, for a command that must not create the tables. */
export async function openExistingPostgres(url: string): Promise<Storage> {
  return open(url, { mustBeWritable: false, mustExist: true, onCommit: undefined, bounds: LIST_BOUNDS })
}

interface Purpose extends Pick<Parts, 'onCommit' | 'bounds'> {
  /** Whether it must have our tables already. */
  readonly mustExist?: true
  readonly mustBeWritable: boolean
}

async function open(url: string, { mustBeWritable, mustExist, onCommit, bounds }: Purpose): Promise<Storage> {
  const connector = createConnector(url)
  await checkConnections(connector, mustBeWritable)
  const database = connect(connector)
  try {
    if (mustExist && (await schemaVersion(database)) === 0) throw missingDatabase()
    const migration = await migrate(database)
    return assemble({ connector, database, migration, onCommit, bounds })
  } catch (error) {
    await database.close()
    throw error
  }
}

/** Finds out at the start what would only show later, in failures that say nothing about the cause. */
async function checkConnections(connector: Connector, mustBeWritable: boolean): Promise<void> {
  const connection = await connector.connect()
  try {
    const { client, state } = connection
    if (mustBeWritable && state.isReadOnly) throw readOnlyFault(`${client.host}:${client.port}`)
    await requireOwnSessions(connector, connection)
  } finally {
    await connection.client.end()
  }
}

interface Parts {
  readonly connector: Connector
  readonly database: Database
  readonly migration: Storage['migration']
  readonly onCommit: CommitObserver | undefined
  readonly bounds: ListBounds
}

function assemble({ connector, database, migration, onCommit, bounds }: Parts): Storage {
  const indexing = keepIndexing(database)
  const writes = createGroupCommit(createCommitBatch(database), (calls, seconds) => {
    indexing.keepUp(calls)
    onCommit?.(calls, seconds)
  })
  const wakeUp = createWakeUp(connector, database)
  const node = createNode(database)
  const operations = postgresOperations(database, writes)
  const projects = projectStorage(operations)
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
    keys: keyStorage(operations),
    issues: issueStorage({ database, operations, announce: wakeUp.announce, bounds }),
    events: eventStorage(operations, wakeUp.subscribe),
    webhooks: webhookStorage(operations, wakeUp.announce),
    deliveries: deliveryStorage(operations, wakeUp.announce),
    stats: statsStorage(operations),
    transfer: transferStorage(database, projects),
    users: { ...userStorage(operations), ...linkStorage(operations) },
    signIns: signInStorage(operations),
    views: viewStorage(operations),
    migration,
    catalogVersion: () => readCatalogVersion(database),
    async probe() {
      if (closing !== undefined) throw new StorageUnavailable('The storage is closed.')
      await node.probe()
    },
    countPendingWrites: writes.countPending,
    beat: node.beat,
    close() {
      closing ??= closeAll()
      return closing
    },
  }
}
