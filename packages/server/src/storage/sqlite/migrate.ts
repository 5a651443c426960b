import type { DatabaseSync } from 'node:sqlite'
import { newerSchema } from '../sql/schema-versions.ts'
import { INITIAL } from './migrations/0001-initial.ts'
import { inTransaction } from './transaction.ts'

/** In order; the place in the list is the version. Released ones are never changed. */
const MIGRATIONS: readonly string[] = [INITIAL]

export interface Migration {
  readonly from: number
  readonly to: number
}

/** Brings the database to this release's schema, and refuses one that a newer release has changed. */
export function migrate(db: DatabaseSync): Migration {
  // Read again under the lock: another process may be migrating right now.
  if (schemaVersion(db) === MIGRATIONS.length) return { from: MIGRATIONS.length, to: MIGRATIONS.length }
  return inTransaction(db, () => {
    const from = schemaVersion(db)
    if (from > MIGRATIONS.length) {
      throw newerSchema(from, MIGRATIONS.length)
    }
    for (const migration of MIGRATIONS.slice(from)) db.exec(migration)
    db.exec(`PRAGMA user_version = ${MIGRATIONS.length}`)
    return { from, to: MIGRATIONS.length }
  })
}

function schemaVersion(db: DatabaseSync): number {
  const row = db.prepare('PRAGMA user_version').get() as { user_version: number }
  return row.user_version
}
