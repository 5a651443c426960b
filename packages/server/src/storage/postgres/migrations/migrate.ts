import { newerSchema, stepTo } from '../../maintenance/schema-versions.ts'
import type { MigrationObserver } from '../../storage.ts'
import type { Database, Session } from '../driver/connection.ts'
import { MIGRATIONS } from './migrations.ts'

/** The schema version of this release. */
export const SCHEMA_VERSION = MIGRATIONS.length

/** The tables and indexes of a schema version, by name. */
export function partsOf(version: number): {
  readonly tables: readonly string[]
  readonly indexes: readonly string[]
} {
  const statements = MIGRATIONS.slice(0, version)
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

const MIGRATION_TIMEOUT_MS = 24 * 3_600_000

/** The key of the lock: any number that other programs in the database do not use. */
const MIGRATION_LOCK = 0x6275676c65

export interface Migration {
  readonly from: number
  readonly to: number
}

/** Migrates the database to this release's schema, and refuses one that a newer release has migrated. */
export async function migrate(database: Database, onStep: MigrationObserver = () => {}): Promise<Migration> {
  // Read again under the lock: another node may be migrating right now.
  if ((await schemaVersion(database)) === SCHEMA_VERSION) return { from: SCHEMA_VERSION, to: SCHEMA_VERSION }
  return database.transaction(async (tx) => {
    // The others wait for their turn, however long the work takes.
    const wait = (text: string) => tx.run({ text, values: [], timeoutMs: MIGRATION_TIMEOUT_MS })
    await wait('SET LOCAL lock_timeout = 0; SET LOCAL statement_timeout = 0')
    await wait(`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`)
    const from = await schemaVersion(tx)
    if (from > SCHEMA_VERSION) throw newerSchema(from, SCHEMA_VERSION)
    for (const [version, migration] of MIGRATIONS.entries()) {
      if (version < from) continue
      if (from > 0) onStep(stepTo(version + 1, from, SCHEMA_VERSION))
      await wait(migration)
    }
    await tx.run({ text: 'UPDATE schema_version SET version = $1', values: [SCHEMA_VERSION] })
    return { from, to: SCHEMA_VERSION }
  })
}

export async function schemaVersion(session: Session): Promise<number> {
  const [table] = await session.run<{ exists: boolean }>({
    text: "SELECT to_regclass('schema_version') IS NOT NULL AS exists",
    values: [],
  })
  if (table?.exists !== true) return 0
  const [row] = await session.run<{ version: number }>({
    text: 'SELECT version FROM schema_version',
    values: [],
  })
  return row?.version ?? 0
}
