import type { DatabaseSync } from 'node:sqlite'
import { newerSchema } from '../../maintenance/schema-versions.ts'
import { inTransaction } from '../driver/transaction.ts'
import { INITIAL } from './0001-initial.ts'
import { IMPORTS } from './0002-imports.ts'
import { USERS } from './0003-users.ts'
import { SEARCH_MERGES } from './0004-search-merges.ts'
import { OPEN_POSITIONS } from './0005-open-positions.ts'
import { UNCONFIRMED_REGRESSIONS } from './0006-unconfirmed-regressions.ts'
import { ISSUE_HISTORY } from './0007-issue-history.ts'
import { PROJECT_COLUMNS } from './0008-project-columns.ts'
import { WEBHOOK_KEYS } from './0009-webhook-keys.ts'
import { DELETED_ISSUES } from './0010-deleted-issues.ts'

/** In order; the place in the list is the version. Released ones are never changed. */
const MIGRATIONS: readonly string[] = [
  INITIAL,
  IMPORTS,
  USERS,
  SEARCH_MERGES,
  OPEN_POSITIONS,
  UNCONFIRMED_REGRESSIONS,
  ISSUE_HISTORY,
  PROJECT_COLUMNS,
  WEBHOOK_KEYS,
  DELETED_ISSUES,
]

/** Of this release. */
export const SCHEMA_VERSION = MIGRATIONS.length

export interface Migration {
  readonly from: number
  readonly to: number
}

/** Brings the database to this release's schema, and refuses one that a newer release has changed. */
export function migrate(db: DatabaseSync): Migration {
  // Read again under the lock: another process may be migrating right now.
  if (schemaVersion(db) === SCHEMA_VERSION) return { from: SCHEMA_VERSION, to: SCHEMA_VERSION }
  return inTransaction(db, () => {
    const from = schemaVersion(db)
    if (from > SCHEMA_VERSION) {
      throw newerSchema(from, SCHEMA_VERSION)
    }
    for (const migration of MIGRATIONS.slice(from)) db.exec(migration)
    db.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`)
    return { from, to: SCHEMA_VERSION }
  })
}

export function schemaVersion(db: DatabaseSync): number {
  const row = db.prepare('PRAGMA user_version').get() as { user_version: number }
  return row.user_version
}
