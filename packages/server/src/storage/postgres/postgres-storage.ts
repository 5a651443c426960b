import { LIST_BOUNDS, type ListBounds } from '../../model/issue-lists.ts'
import type { SchemaRight } from '../maintenance/schema-versions.ts'
import type { Acting } from '../nouns/audit-log.ts'
import { nounStorage } from '../nouns/nouns.ts'
import { type CommitObserver, type MigrationObserver, type Storage, StorageUnavailable } from '../storage.ts'
import { clusterDeliveries } from './cluster/deliveries.ts'
import { isDistributed } from './cluster/distribution.ts'
import { createCommitBatch } from './commit/commit-batch.ts'
import { createGroupCommit } from './commit/group-commit.ts'
import { connect, type Database } from './driver/connection.ts'
import { type Connector, createConnector } from './driver/connector.ts'
import { readOnlyFault } from './driver/faults.ts'
import { postgresOperations } from './driver/operations.ts'
import { createProjectSeqs } from './driver/project-seqs.ts'
import { requireOwnSessions } from './driver/require-own-sessions.ts'
import { createChunkStore } from './files/chunk-store.ts'
import { issueStorage } from './issues/issues.ts'
import { keepIndexing, NO_INDEXING } from './issues/keep-indexing.ts'
import { transferStorage } from './maintenance/transfer.ts'
import { guardWrites } from './migrations/guard-writes.ts'
import { findServiceFault, prepareSchema } from './migrations/migrate.ts'
import { readCatalogVersion } from './nodes/catalog.ts'
import { createNode } from './nodes/nodes.ts'
import { createWakeUp, positionReads } from './nodes/wake-up.ts'

/** Opens a database that any number of nodes may share. Connections are opened when needed, and again when lost. */
export async function openPostgresStorage(
  url: string,
  onCommit?: CommitObserver,
  bounds: ListBounds = LIST_BOUNDS,
  onMigrationStep?: MigrationObserver,
): Promise<Storage> {
  return open(url, { mustBeWritable: true, right: 'migrate-if-safe', onCommit, bounds, onMigrationStep })
}

/** Opens it for a command: those that only read work on a replica too. */
export async function openPostgresForCommand(
  url: string,
  right: SchemaRight,
  onMigrationStep?: MigrationObserver,
): Promise<Storage> {
  return open(url, {
    mustBeWritable: false,
    right,
    onCommit: undefined,
    bounds: LIST_BOUNDS,
    onMigrationStep,
  })
}

interface Purpose extends Pick<Dependencies, 'onCommit' | 'bounds'> {
  readonly right: SchemaRight
  readonly mustBeWritable: boolean
  readonly onMigrationStep: MigrationObserver | undefined
}

async function open(url: string, purpose: Purpose): Promise<Storage> {
  const { mustBeWritable, right, onCommit, bounds, onMigrationStep } = purpose
  const connector = createConnector(url)
  await checkConnections(connector, mustBeWritable)
  const database = connect(connector)
  try {
    const migration = await prepareSchema(database, right, onMigrationStep)
    const isCluster = await isDistributed(database)
    return assemble({ connector, database: guardWrites(database), migration, isCluster, onCommit, bounds })
  } catch (error) {
    await database.close()
    throw error
  }
}

/** Detects problems at the start that would otherwise cause unclear failures later. */
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

interface Dependencies {
  readonly connector: Connector
  readonly database: Database
  readonly migration: Storage['migration']
  readonly isCluster: boolean
  readonly onCommit: CommitObserver | undefined
  readonly bounds: ListBounds
}

function assemble({ connector, database, migration, isCluster, onCommit, bounds }: Dependencies): Storage {
  // Each part of a distributed index has a list of its own, which autovacuum merges.
  const indexing = isCluster ? NO_INDEXING : keepIndexing(database)
  const writes = createGroupCommit(createCommitBatch(database, isCluster), (calls, seconds) => {
    indexing.keepUp(calls)
    onCommit?.(calls, seconds)
  })
  const node = createNode(database)
  const seqs = createProjectSeqs()
  const operations = postgresOperations(database, writes, seqs)
  const wakeUp = createWakeUp(connector, positionReads(operations, isCluster))
  const nounsOf = (acting?: Acting) => {
    const nouns = nounStorage(operations, wakeUp, acting)
    return isCluster
      ? { ...nouns, deliveries: { ...nouns.deliveries, ...clusterDeliveries(operations) } }
      : nouns
  }
  const nouns = nounsOf()
  let closing: Promise<void> | undefined
  async function closeAll(): Promise<void> {
    await writes.close()
    await wakeUp.close()
    await node.leave()
    await indexing.stop()
    await database.close()
  }
  const storage: Storage = {
    ...nouns,
    issues: issueStorage({ database, operations, seqs, announce: wakeUp.announce, bounds, isCluster }),
    transfer: transferStorage(database, nouns.projects),
    actingAs: (actor, clock) => ({
      ...storage,
      ...nounsOf(() => ({ actor, at: clock() })),
    }),
    ownFiles: createChunkStore(database),
    migration,
    catalogVersion: () => readCatalogVersion(database),
    async probe() {
      if (closing !== undefined) throw new StorageUnavailable('The storage is closed.')
      await node.probe()
    },
    countPendingWrites: writes.countPending,
    async beat() {
      const fault = await findServiceFault(database)
      // Its heartbeat is not written: the table of the nodes may have changed too.
      return fault === undefined ? { nodes: await node.beat(), fault: null } : { nodes: 1, fault }
    },
    readClock: node.readClock,
    close() {
      closing ??= closeAll()
      return closing
    },
  }
  return storage
}
