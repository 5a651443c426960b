import type { DatabaseSync } from 'node:sqlite'
import {
  newerSchema,
  olderSchema,
  oldestUserOf,
  replacedSchema,
  SchemaRefused,
  stepTo,
} from '../../maintenance/schema-versions.ts'
import type { Migration, MigrationObserver } from '../../storage.ts'
import { inTransaction } from '../driver/transaction.ts'
import { CURRENT_SCHEMA } from './current-schema.ts'
import { MIGRATIONS } from './migrations.ts'

/** The schema version of this release. */
export const SCHEMA_VERSION = MIGRATIONS.length

/** Creates the schema in an empty database, and refuses any other that this release cannot use as it is. */
export function createSchema(db: DatabaseSync): Migration {
  return schemaVersion(db) === 0 ? migrate(db) : requireSchema(db)
}

/** Creates the schema of this release or migrates the database to it, and refuses one that a newer release has taken over. */
export function migrate(db: DatabaseSync, onStep: MigrationObserver = () => {}): Migration {
  return inTransaction(db, () => {
    // Read under the lock: another process may have migrated it a moment ago.
    const from = schemaVersion(db)
    if (from >= SCHEMA_VERSION) return requireSchema(db)
    if (from === 0) db.exec(CURRENT_SCHEMA)
    else migrateFrom(from, db, onStep)
    db.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`)
    db.exec(`UPDATE catalog SET oldest_schema = ${oldestUserOf(MIGRATIONS)}`)
    return { from, to: SCHEMA_VERSION }
  })
}

function migrateFrom(from: number, db: DatabaseSync, onStep: MigrationObserver): void {
  for (const [index, { sql }] of MIGRATIONS.slice(from).entries()) {
    onStep(stepTo(from + index + 1, from, SCHEMA_VERSION))
    db.exec(sql)
  }
}

/** Fails if this release cannot use the database as it is. */
export function requireSchema(db: DatabaseSync): Migration {
  const fault = findSchemaFault(db)
  if (fault !== undefined) throw new SchemaRefused(fault)
  const version = schemaVersion(db)
  return { from: version, to: version }
}

/** Why this release cannot use the database as it is; `undefined` if it can. */
export function findSchemaFault(db: DatabaseSync): string | undefined {
  const version = schemaVersion(db)
  if (version === SCHEMA_VERSION) return undefined
  if (version < SCHEMA_VERSION) return olderSchema(version, SCHEMA_VERSION)
  const { oldest } = db.prepare('SELECT oldest_schema AS oldest FROM catalog').get() as { oldest: number }
  return oldest > SCHEMA_VERSION ? newerSchema(version) : undefined
}

/** Why a running server can no longer use the database; `undefined` if it can. */
export function findServiceFault(db: DatabaseSync): string | undefined {
  const version = schemaVersion(db)
  return version < SCHEMA_VERSION ? replacedSchema(version, SCHEMA_VERSION) : findSchemaFault(db)
}

export function schemaVersion(db: DatabaseSync): number {
  return prepareSchemaVersion(db)()
}

export function prepareSchemaVersion(db: DatabaseSync): () => number {
  const select = db.prepare('PRAGMA user_version')
  return () => (select.get() as { user_version: number }).user_version
}
