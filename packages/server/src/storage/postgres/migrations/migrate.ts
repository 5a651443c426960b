import {
  missingDatabase,
  newerSchema,
  olderSchema,
  oldestUserOf,
  replacedSchema,
  SchemaRefused,
  type SchemaRight,
  stepTo,
} from '../../maintenance/schema-versions.ts'
import type { Migration, MigrationObserver } from '../../storage.ts'
import { type Database, prepared, type Session } from '../driver/connection.ts'
import { listLiveNodes } from '../nodes/nodes.ts'
import { MIGRATIONS } from './migrations.ts'

/** The schema version of this release. */
export const SCHEMA_VERSION = MIGRATIONS.length

/** The tables and indexes of a schema version, by name. */
export function partsOf(version: number): {
  readonly tables: readonly string[]
  readonly indexes: readonly string[]
} {
  const statements = MIGRATIONS.slice(0, version)
    .map(({ sql }) => sql)
    .join('\n')
    .matchAll(/(CREATE|DROP) (?:UNIQUE )?(TABLE|INDEX) (\w+)/g)
  const names = { TABLE: new Set<string>(), INDEX: new Set<string>() }
  for (const [, verb, kind, name = ''] of statements) {
    const known = names[kind === 'TABLE' ? 'TABLE' : 'INDEX']
    if (verb === 'CREATE') known.add(name)
    else known.delete(name)
  }
  return { tables: [...names.TABLE], indexes: [...names.INDEX] }
}

const VERSIONS = 'schema_version'
const MIGRATION_TIMEOUT_MS = 24 * 3_600_000

/** The key of the lock: any number that other programs in the database do not use. */
const MIGRATION_LOCK = 0x6275676c65

/** Creates the schema of this release or migrates the database to it, as far as the caller may, and refuses one that it cannot use. */
export async function prepareSchema(
  database: Database,
  right: SchemaRight,
  onStep: MigrationObserver = () => {},
): Promise<Migration> {
  const version = await schemaVersion(database)
  if (version === SCHEMA_VERSION) return { from: version, to: version }
  if (version === 0 && right === 'use') throw missingDatabase()
  const isLeft = version > SCHEMA_VERSION || right === 'use' || (version > 0 && right === 'create')
  return isLeft ? requireSchema(database) : migrate(database, right, onStep)
}

async function migrate(
  database: Database,
  right: SchemaRight,
  onStep: MigrationObserver,
): Promise<Migration> {
  return database.transaction(async (tx) => {
    // The others wait for their turn, however long the work takes.
    const wait = (text: string) => tx.run({ text, values: [], timeoutMs: MIGRATION_TIMEOUT_MS })
    await wait('SET LOCAL lock_timeout = 0; SET LOCAL statement_timeout = 0')
    await wait(`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`)
    // Read again under the lock: another node may have migrated it a moment ago.
    const from = await schemaVersion(tx)
    if (from >= SCHEMA_VERSION) return requireSchema(tx)
    const steps = MIGRATIONS.slice(from)
    const isExclusive = from > 0 && !steps.every(({ allowsPrevious }) => allowsPrevious)
    if (isExclusive && right === 'migrate-if-safe') await requireNoNodes(tx, from)
    if (isExclusive) await wait(lockText(from))
    for (const [index, { sql }] of steps.entries()) {
      if (from > 0) onStep(stepTo(from + index + 1, from, SCHEMA_VERSION))
      await wait(sql)
    }
    await tx.run({ text: 'UPDATE schema_version SET version = $1', values: [SCHEMA_VERSION] })
    await tx.run({ text: 'UPDATE catalog SET oldest_schema = $1', values: [oldestUserOf(MIGRATIONS)] })
    return { from, to: SCHEMA_VERSION }
  })
}

/**
 * Waits for the transactions of older servers, and keeps new ones waiting: they then see the version and write nothing. All locks are
 * taken at once, because a transaction that holds one of them and waits for another would end in a deadlock with the migration.
 */
function lockText(version: number): string {
  const tables = partsOf(version).tables.filter((table) => table !== VERSIONS)
  // Servers that are starting can still read the version.
  return `LOCK TABLE ${VERSIONS} IN EXCLUSIVE MODE; LOCK TABLE ${tables.join(', ')} IN ACCESS EXCLUSIVE MODE`
}

/** Every node that is running on it is of the earlier release: one of this release would have migrated it. */
async function requireNoNodes(session: Session, version: number): Promise<void> {
  const nodes = await listLiveNodes(session)
  if (nodes.length === 0) return
  throw new SchemaRefused(
    `The database must be migrated from schema version ${version} to ${SCHEMA_VERSION}, but servers of an earlier release that cannot use the new schema are still running: ${nodes.join(', ')}. Stop them and start this server again, or run "bugle migrate"; they then refuse all requests.`,
  )
}

/** Fails if this release cannot use the database as it is. */
export async function requireSchema(session: Session): Promise<Migration> {
  const fault = await findSchemaFault(session)
  if (fault !== undefined) throw new SchemaRefused(fault)
  const version = await schemaVersion(session)
  return { from: version, to: version }
}

export const SELECT_VERSION = prepared('schema_version', 'SELECT version FROM schema_version')

/** Why this release cannot use the database as it is; `undefined` if it can. */
export async function findSchemaFault(session: Session): Promise<string | undefined> {
  const [{ version } = { version: 0 }] = await session.run<{ version: number }>(SELECT_VERSION())
  if (version === SCHEMA_VERSION) return undefined
  if (version < SCHEMA_VERSION) return olderSchema(version, SCHEMA_VERSION)
  const [{ oldest } = { oldest: version }] = await session.run<{ oldest: number }>({
    text: 'SELECT oldest_schema AS oldest FROM catalog',
    values: [],
  })
  return oldest > SCHEMA_VERSION ? newerSchema(version) : undefined
}

/** Why a running server can no longer use the database; `undefined` if it can. */
export async function findServiceFault(session: Session): Promise<string | undefined> {
  const version = await schemaVersion(session)
  return version < SCHEMA_VERSION ? replacedSchema(version, SCHEMA_VERSION) : findSchemaFault(session)
}

export async function schemaVersion(session: Session): Promise<number> {
  const [table] = await session.run<{ exists: boolean }>({
    text: "SELECT to_regclass('schema_version') IS NOT NULL AS exists",
    values: [],
  })
  if (table?.exists !== true) return 0
  const [row] = await session.run<{ version: number }>(SELECT_VERSION())
  return row?.version ?? 0
}
