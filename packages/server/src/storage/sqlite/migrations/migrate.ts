import type { DatabaseSync } from 'node:sqlite'
import { newerSchema, stepTo } from '../../maintenance/schema-versions.ts'
import type { MigrationObserver } from '../../storage.ts'
import { inTransaction } from '../driver/transaction.ts'
import { CURRENT_SCHEMA } from './current-schema.ts'
import { MIGRATIONS } from './migrations.ts'

/** The schema version of this release. */
export const SCHEMA_VERSION = MIGRATIONS.length

export interface Migration {
  readonly from: number
  readonly to: number
}

/** Creates the schema of this release or migrates the database to it, and refuses one that a newer release has migrated. */
export function migrate(db: DatabaseSync, onStep: MigrationObserver = () => {}): Migration {
  // Read again under the lock: another process may be migrating right now.
  if (schemaVersion(db) === SCHEMA_VERSION) return { from: SCHEMA_VERSION, to: SCHEMA_VERSION }
  return inTransaction(db, () => {
    const from = schemaVersion(db)
    if (from > SCHEMA_VERSION) {
      throw newerSchema(from, SCHEMA_VERSION)
    }
    if (from === 0) db.exec(CURRENT_SCHEMA)
    else migrateFrom(from, db, onStep)
    db.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`)
    return { from, to: SCHEMA_VERSION }
  })
}

function migrateFrom(from: number, db: DatabaseSync, onStep: MigrationObserver): void {
  for (const [index, migration] of MIGRATIONS.slice(from).entries()) {
    onStep(stepTo(from + index + 1, from, SCHEMA_VERSION))
    db.exec(migration)
  }
}

export function schemaVersion(db: DatabaseSync): number {
  const row = db.prepare('PRAGMA user_version').get() as { user_version: number }
  return row.user_version
}
