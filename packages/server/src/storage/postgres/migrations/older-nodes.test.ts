import { expect, it } from 'vitest'
import { fixtureOf, keptVersions } from '../../../../test-support/schemas/upgrade.ts'
import { emptyPostgresDatabase } from '../../../../test-support/temporary-database.ts'
import { withClient } from '../../../../test-support/with-client.ts'
import { openInspection, openMigrated, openStorage, openStorageForCommand } from '../../open-storage.ts'
import { SCHEMA_VERSION } from './migrate.ts'

const LATEST = Math.max(...keptVersions('postgres'))
const OBSERVER = {
  onCrash(error: Error) {
    throw error
  },
}

it('a node does not migrate under older nodes that could not go on, and names them', async () => {
  await using database = await databaseOf(LATEST - 1)
  const id = await addNode(database.url, 'now()')
  await expect(openStorage(database.url, OBSERVER)).rejects.toThrow(
    `servers of an earlier release that cannot use the new schema are still running: ${id}. Stop them and start this server again, or run "bugle migrate"; they then refuse all requests.`,
  )
  expect(await versionOf(database.url)).toBe(LATEST - 1)
  const storage = await openMigrated(database.url)
  expect(storage.migration).toMatchObject({ from: LATEST - 1, to: SCHEMA_VERSION })
  await storage.close()
})

it('a node migrates when the older ones have stopped', async () => {
  await using database = await databaseOf(LATEST - 1)
  await addNode(database.url, "now() - interval '6 seconds'")
  await (await openStorage(database.url, OBSERVER)).close()
  expect(await versionOf(database.url)).toBe(SCHEMA_VERSION)
})

it('a node migrates under older ones that may go on', async () => {
  await using database = await databaseOf(LATEST)
  await addNode(database.url, 'now()')
  await (await openStorage(database.url, OBSERVER)).close()
  expect(await versionOf(database.url)).toBe(SCHEMA_VERSION)
})

it('a migration waits for the transactions of older nodes', async () => {
  await using database = await databaseOf(LATEST - 1)
  let isMigrated = false
  const migrating = await withClient(database.url, async (client) => {
    // What each of their transactions begins with.
    await client.query('BEGIN; LOCK TABLE schema_version IN ROW SHARE MODE')
    const storage = openMigrated(database.url).finally(() => {
      isMigrated = true
    })
    const isWaiting = () =>
      withClient(database.url, async (other) => {
        const { rows } = await other.query(
          "SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'schema_version'::regclass",
        )
        return rows.length
      })
    await expect.poll(isWaiting).toBe(1)
    expect(isMigrated).toBe(false)
    await client.query('COMMIT')
    return { storage }
  })
  const storage = await migrating.storage
  expect(storage.migration).toMatchObject({ from: LATEST - 1, to: SCHEMA_VERSION })
  await storage.close()
})

it('a command does not migrate', async () => {
  await using database = await databaseOf(LATEST)
  await expect(openStorageForCommand(database.url)).rejects.toThrow(
    `The database has schema version ${LATEST}, but this release of Bugle needs ${SCHEMA_VERSION}. Run "bugle migrate"`,
  )
  expect(await versionOf(database.url)).toBe(LATEST)
})

async function databaseOf(version: number) {
  const database = await emptyPostgresDatabase()
  await withClient(database.url, (client) => client.query(fixtureOf('postgres', version)))
  return database
}

async function addNode(url: string, seenAt: string): Promise<string> {
  const { rows } = await withClient(url, (client) =>
    client.query<{ id: string }>(
      `INSERT INTO nodes (id, seen_at) VALUES (gen_random_uuid(), ${seenAt}) RETURNING id`,
    ),
  )
  return rows[0]?.id ?? ''
}

async function versionOf(url: string): Promise<number> {
  await using inspection = await openInspection(url)
  return inspection.schema.found
}
